import { spawn } from "node:child_process";
import type { Environment } from "./paths.ts";

/** Opens an address in the person's browser, without waiting. False where there is no screen to open one on. */
export function openBrowser(url: URL, env: Environment): boolean {
  const hasScreen = process.platform === "darwin" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
  const program = env["BROWSER"] || (process.platform === "darwin" ? "open" : hasScreen ? "xdg-open" : "");
  if (program === "") return false;
  const child = spawn(program, [url.href], { env: { ...env }, detached: true, stdio: "ignore" });
  child.on("error", () => undefined); // the address is shown as well
  child.unref();
  return true;
}
