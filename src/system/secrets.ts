/** Names of environment variables that hold the keys of model providers, or say where their traffic goes. */
const PROVIDER_PREFIXES = [
  "ANTHROPIC_",
  "AZURE_OPENAI_",
  "CLAUDE_CODE_",
  "COHERE_",
  "DEEPSEEK_",
  "FIREWORKS_",
  "GEMINI_",
  "GOOGLE_GENERATIVE_AI_",
  "GROQ_",
  "MISTRAL_",
  "OPENAI_",
  "OPENROUTER_",
  "PERPLEXITY_",
  "TOGETHER_",
  "XAI_",
];
const PROVIDER_NAMES = [
  "AWS_BEARER_TOKEN_BEDROCK",
  "HF_TOKEN",
  "HUGGING_FACE_HUB_TOKEN",
  "HUGGINGFACEHUB_API_TOKEN",
  "REPLICATE_API_TOKEN",
];
/** `FOO_API_KEY`, `FOO_APIKEY`, `FOO_API_TOKEN`, and whatever of our own settings is a credential. */
const PROVIDER_SHAPES = [/(^|_)API_?(KEY|TOKEN)S?$/, /^AURA_.*(TOKEN|KEY|SECRET|PASSWORD)$/];

/** Is `name` a variable that carries a model provider's credential? Case does not matter. */
export function isProviderSecret(name: string): boolean {
  const upper = name.toUpperCase();
  return (
    PROVIDER_NAMES.includes(upper) ||
    PROVIDER_PREFIXES.some((prefix) => upper.startsWith(prefix)) ||
    PROVIDER_SHAPES.some((shape) => shape.test(upper))
  );
}

/** Credentials as they look inside a text: `sk-…` and `gh?_…` style tokens, bearer headers, `key=value` pairs. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\b(sk|rk|pk|gsk|xai|hf|ghp|gho|ghu|ghs|github_pat|glpat|xox[abpr])([-_])[A-Za-z0-9_-]{12,}/g, "$1$2***"],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, "AIza***"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, "$1 ***"],
  [/\b([\w-]*(?:api[_-]?key|token|secret|password))(["']?\s*[=:]\s*["']?)[^\s"',;&]{6,}/gi, "$1$2***"],
];

/** `text` with everything that looks like a credential replaced by `***`; `known` are values to hide in any case. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let masked = text;
  for (const value of known) if (value.length >= 6) masked = masked.replaceAll(value, "***");
  for (const [shape, replacement] of MASKS) masked = masked.replace(shape, replacement);
  return masked;
}
