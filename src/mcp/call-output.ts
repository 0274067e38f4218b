import { isDeepStrictEqual } from "node:util";
import type { ImagePart } from "../protocol/message.ts";
import type { CallOutput } from "../protocol/tool-call.ts";

/** Characters of a result's text that may enter a conversation at all; the result guard above is stricter. */
const LONGEST_TEXT = 1024 * 1024;
/** Base64 characters of one image. */
const LARGEST_IMAGE = 7 * 1024 * 1024;
const MOST_IMAGES = 20;
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** What a server answered to `tools/call`, as far as it has the form it should. */
export interface ServerAnswer {
  readonly output: CallOutput;
  readonly failed: boolean;
}

/**
 * A `CallToolResult` (MCP specification 2025-11-25, server/tools) as ours: text parts joined by newlines, images apart,
 * anything else in words or JSON. Never throws, whatever the server sent.
 */
export function readAnswer(result: unknown): ServerAnswer {
  const { content, structuredContent, isError } = Object(result) as Record<string, unknown>;
  const texts: string[] = [];
  const images: ImagePart[] = [];
  for (const part of Array.isArray(content) ? content : []) readPart(Object(part), texts, images);
  if (structuredContent !== undefined && !texts.some((text) => says(text, structuredContent)))
    texts.push(JSON.stringify(structuredContent));
  const text = bounded(texts.join("\n"));
  return { failed: isError === true, output: { text, ...(images.length > 0 && { images }) } };
}

type PlainPart = Readonly<Record<string, unknown>>;

/** What should be a text may be anything, also what has a `toString` of its own. */
const words = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

function readPart(part: PlainPart, texts: string[], images: ImagePart[]): void {
  switch (part["type"]) {
    case "text":
      texts.push(words(part["text"] ?? ""));
      return;
    case "image":
      return readImage(part["data"], part["mimeType"], texts, images);
    case "audio":
      texts.push(`[audio (${words(part["mimeType"])}) left out]`);
      return;
    case "resource_link":
      texts.push(`[resource ${words(part["name"] ?? "")}: ${words(part["uri"])}${described(part)}]`);
      return;
    case "resource":
      return readResource(Object(part["resource"]), texts, images);
    default:
      texts.push(JSON.stringify(part));
  }
}

function readResource(resource: PlainPart, texts: string[], images: ImagePart[]): void {
  const { uri, mimeType, text, blob } = resource;
  if (typeof text === "string") texts.push(`[resource ${words(uri)}]\n${text}`);
  else if (typeof blob === "string" && IMAGE_TYPES.has(words(mimeType))) readImage(blob, mimeType, texts, images);
  else texts.push(`[resource ${words(uri)} (${words(mimeType ?? "binary")}) left out]`);
}

function readImage(data: unknown, mimeType: unknown, texts: string[], images: ImagePart[]): void {
  const mediaType = words(mimeType);
  if (typeof data !== "string" || !IMAGE_TYPES.has(mediaType)) texts.push(`[image (${mediaType}) left out]`);
  else if (data.length > LARGEST_IMAGE) texts.push(`[image (${mediaType}) left out: ${data.length} characters]`);
  else if (images.length >= MOST_IMAGES) texts.push("[one more image left out]");
  else images.push({ type: "image", mediaType, data });
}

const described = (part: PlainPart) => (typeof part["description"] === "string" ? ` — ${part["description"]}` : "");

/** Servers repeat structured content as text for older clients; once is enough. */
function says(text: string, structured: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), structured);
  } catch {
    return false;
  }
}

/** Head and tail of a text that is beyond all measure. */
function bounded(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const half = LONGEST_TEXT / 2;
  return `${text.slice(0, half)}\n[… ${text.length - LONGEST_TEXT} characters left out …]\n${text.slice(-half)}`;
}
