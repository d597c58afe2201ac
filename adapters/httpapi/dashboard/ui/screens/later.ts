// The screens that nobody sees first. They are a file of their own, which is fetched while the
// first screen is looked at, so that a first visit is small.
export { BrandingScreen } from "./branding";
export { CompareScreen } from "./history/compare";
export { HistoryScreen } from "./history/history";
export { RunScreen } from "./history/run";
export { ColumnsInPlace } from "./mapping/column-choices";
export { keepColumns } from "./mapping/keeping";
export { MappingScreen } from "./mapping/mapping";
export { MappingsScreen } from "./mappings";
export { AcceptCharges } from "./reconcile/accept-charges";
export { ResultsScreen } from "./results/results";
export { WebhooksScreen } from "./webhooks";
