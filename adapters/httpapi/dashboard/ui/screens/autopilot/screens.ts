// The screens of the autopilot. They are a file of their own, which is fetched when one of
// them is opened.
export { AutopilotScreen } from "./list";
export { ConnectionScreen } from "./connection";
export { OpenItemsScreen } from "./open-items";
