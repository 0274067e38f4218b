import type { PickItem } from "../protocol/request.ts";
import { lookUp } from "../providers/model-table.ts";
import type { ModelInfo } from "../providers/provider.ts";
import type { Engine } from "./engine.ts";

/** The models of every provider, for a picker. A provider that cannot be asked is reported with the reason. */
export async function listModels(
  engine: Engine,
  report: (problem: string) => void = (text) => engine.emit({ type: "notice", level: "warn", text }),
): Promise<readonly PickItem[]> {
  const providers = await engine.models.providers(engine.config);
  const current = `${engine.model.provider.name}/${engine.model.model}`;
  const lists = await Promise.all(
    providers.map(async (provider): Promise<readonly PickItem[]> => {
      try {
        const models = await provider.models(AbortSignal.timeout(10_000));
        return models.map((model): PickItem => {
          const id = `${provider.name}/${model.name}`;
          const known = lookUp(provider.name, model.name);
          const window = model.context ?? known?.context;
          const price = model.price ?? known?.price;
          return {
            id,
            label: model.name,
            group: provider.name,
            current: id === current,
            ...(window !== undefined && { description: `${Math.round(window / 1000)}k${priceText(price)}` }),
          };
        });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        report(`${provider.name}: its models could not be listed: ${reason}`);
        return [];
      }
    }),
  );
  return lists.flat();
}

/** US dollars per million tokens. */
function priceText(price: ModelInfo["price"]): string {
  return price === undefined ? "" : ` • $${price.input} in, $${price.output} out`;
}
