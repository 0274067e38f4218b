import { expect, test } from "vitest";
import { imageDirectives } from "../../../../ui/tui/image-paths.ts";

test.each([
  ["/home/me/a.png", "@Image[/home/me/a.png] "],
  ["~/pictures/cat.JPG\n", "@Image[~/pictures/cat.JPG] "],
  ["'/tmp/my shot.webp'", "@Image[/tmp/my shot.webp] "],
  ['"/tmp/my shot.gif"', "@Image[/tmp/my shot.gif] "],
  ["/tmp/my\\ shot\\ \\(1\\).png", "@Image[/tmp/my shot (1).png] "],
  ["/tmp/my shot.png", "@Image[/tmp/my shot.png] "],
  ["file:///tmp/my%20shot.jpeg", "@Image[/tmp/my shot.jpeg] "],
  ["/tmp/a.png '/tmp/b c.png'", "@Image[/tmp/a.png] @Image[/tmp/b c.png] "],
  ["./a.png\r\n./b.png", "@Image[./a.png] @Image[./b.png] "],
])("%j is a dropped picture", (pasted, directives) => {
  expect(imageDirectives(pasted)).toBe(directives);
});

test.each([
  "a.png",
  "/tmp/notes.txt",
  "look at /tmp/a.png",
  "/tmp/a.png and /tmp/b.txt",
  "'/tmp/a.png",
  "/tmp/a[1].png",
  "",
  " ",
])("%j stays text", (pasted) => {
  expect(imageDirectives(pasted)).toBeUndefined();
});
