/** The least an Ink chat does, to measure against: a prompt, a streamed reply, finished paragraphs in Static. */
import { Box, render, Static, Text, useInput } from "ink";
import { useRef, useState } from "react";
import { CHUNKS, chunkAt, reportCost } from "./stream-text.ts";

const FRAME_MS = 33;

const Chat = () => {
  const [input, setInput] = useState("");
  const [finished, setFinished] = useState<readonly string[]>([]);
  const [live, setLive] = useState("");
  const tail = useRef("");

  const show = () => {
    const end = tail.current.lastIndexOf("\n\n");
    if (end >= 0) {
      const paragraphs = tail.current.slice(0, end);
      tail.current = tail.current.slice(end + 2);
      setFinished((before) => [...before, `${paragraphs}\n`]);
    }
    setLive(tail.current);
  };

  const stream = () => {
    const cost = reportCost();
    const timer = setInterval(show, FRAME_MS);
    let at = 0;
    const next = () => {
      tail.current += chunkAt(at++);
      if (at < CHUNKS) setTimeout(next, 2);
      else {
        clearInterval(timer);
        show();
        setTimeout(cost, 300);
      }
    };
    next();
  };

  useInput((text, key) => {
    if (key.return) {
      setInput("");
      stream();
    } else if (key.backspace || key.delete) setInput((before) => before.slice(0, -1));
    else setInput((before) => before + text);
  });

  return (
    <Box flexDirection="column">
      <Static items={[...finished]}>{(text, index) => <Text key={index}>{text}</Text>}</Static>
      {live === "" ? null : <Text>{live}</Text>}
      <Box borderStyle="round">
        <Text>{input === "" ? "Type your message" : input}</Text>
      </Box>
    </Box>
  );
};

render(<Chat />);
