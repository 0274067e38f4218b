export { formatDuration, parseDuration } from "../text/duration.ts";
