/** Set by the build from package.json. */
declare const AURA_VERSION: string;
