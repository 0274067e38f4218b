import type { Tool } from "../toolkit/tool.ts";
import { bash } from "./bash.ts";
import { batch } from "./batch.ts";
import { glob } from "./glob.ts";
import { ls } from "./ls.ts";
import { memoryRead } from "./memory-read.ts";
import { memoryWrite } from "./memory-write.ts";
import { mkdir } from "./mkdir.ts";
import { patch } from "./patch.ts";
import { read } from "./read.ts";
import { readBackgroundBash } from "./read-background-bash.ts";
import { rg } from "./rg.ts";
import { stopBackgroundBash } from "./stop-background-bash.ts";
import { todoCreate } from "./todo-create.ts";
import { todoList } from "./todo-list.ts";
import { todoProgress } from "./todo-progress.ts";
import { write } from "./write.ts";

/** In the order the model sees them; the order is part of the prompt prefix. */
export const builtinTools: readonly Tool[] = [
  read,
  rg,
  glob,
  ls,
  patch,
  write,
  mkdir,
  bash,
  readBackgroundBash,
  stopBackgroundBash,
  todoCreate,
  todoList,
  todoProgress,
  memoryRead,
  memoryWrite,
  batch,
];
