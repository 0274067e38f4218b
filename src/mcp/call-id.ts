/** Key in `_meta` of a call to a server inside this process: the id of the call of ours it is. */
export const CALL_ID = "aura/callId";
