// What a run found, as the service answered it.
import type { Answer } from "../../shapes";

export type Findings = Answer;

/** Reads the body of an answer of /app/api/reconcile or /app/api/sample. */
export const readFindings = (body: Uint8Array): Findings => JSON.parse(new TextDecoder().decode(body)) as Findings;
