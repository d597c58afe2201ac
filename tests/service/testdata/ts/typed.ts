// What people write with these clients: it must compile strictly, and knows the values of today.
import createClient from "openapi-fetch";
import { makeDocument, reconcile } from "./generated/heyapi";
import { reconcile as reconcileByOrval, type OrderResult } from "./generated/orvalfetch";
import type { components, paths } from "./generated/schema";

export async function asked(baseUrl: string, key: string): Promise<number> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  const { data, error } = await client.POST("/reconcile", {
    body: { shopify: "Name,Total\n", courier: "AWB No,COD Amount\n", courierName: "delhivery", include: ["payouts"] },
  });
  if (error) throw new Error(error.error);
  return data.results.reduce((paise, r) => paise + Math.round(r.shortfall * 100), 0);
}

export function todo(result: OrderResult | components["schemas"]["OrderResult"]): string {
  switch (result.flag) {
    case "MISSING":
      return "dispute";
    default:
      return "nothing";
  }
}

export async function document(key: string): Promise<Blob | File> {
  const { data, error } = await makeDocument({ auth: key, body: { shopify: "a", courier: "b", format: "pdf" } });
  if (!data) throw new Error(error?.error);
  return data;
}

export async function both(): Promise<string[]> {
  const one = await reconcile({ body: { shopify: "a", courier: "b" } });
  const other = await reconcileByOrval({ shopify: "a", courier: "b" });
  if (other.status !== 200) return [other.data.error];
  return [...(one.data?.results ?? []).map((r) => r.flag), ...other.data.results.map(todo)];
}
