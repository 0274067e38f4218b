import type { ThinkLevel } from "../protocol/status.ts";
import { type Command, UsageError } from "./command.ts";

const LEVELS: readonly ThinkLevel[] = ["off", "on", "low", "medium", "high"];

export const agentCommands: readonly Command[] = [
  {
    name: "agent",
    group: "agent",
    about: "Show or switch the agent",
    hints: "[name]",
    async run([name], { agent }) {
      if (name === undefined) return listing("Available agents", agent.names, agent.current);
      await agent.use(name);
      return { text: `Switched to agent: ${agent.current}` };
    },
  },
  {
    name: "mode",
    group: "agent",
    about: "Show, switch or leave the mode",
    hints: "[name|none]",
    async run([name], { agent }) {
      if (name === undefined) return listing("Available modes", agent.modes, agent.mode);
      await agent.useMode(name === "none" ? undefined : name);
      return { text: agent.mode === undefined ? "Mode cleared" : `Switched to mode: ${agent.mode}` };
    },
  },
  {
    name: "model",
    group: "agent",
    about: "Pick or switch the model",
    hints: "[model|provider/model]",
    async run([reference], { model, pick }) {
      const chosen = reference ?? (await pick("Model", await model.list()));
      if (chosen === null) return { text: `Model: ${model.current}` };
      return { text: `Switched to ${await model.use(chosen)}` };
    },
  },
  {
    name: "think",
    aliases: ["effort"],
    group: "agent",
    about: "Show or set how much the model thinks",
    hints: "[off|on|low|medium|high]",
    run([level], { agent }) {
      if (level !== undefined) agent.setThink(parseLevel(level));
      return { text: `Think: ${agent.think}` };
    },
  },
];

export function parseLevel(text: string): ThinkLevel {
  const level = LEVELS.find((known) => known === text.toLowerCase());
  if (level === undefined) throw new UsageError(`unknown thinking level "${text}"`);
  return level;
}

function listing(title: string, entries: readonly { name: string }[], current: string | undefined) {
  const names = entries.map((entry) => (entry.name === current ? `${entry.name}*` : entry.name));
  return { text: `${title}: ${names.join(", ") || "none"}`, data: entries };
}
