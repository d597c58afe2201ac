// The screens of the account, its people, its keys and its books. They are a file of their own, which is
// fetched when one of them is opened.
export { AccountScreen } from "./account";
export { BooksScreen } from "./books";
export { KeysScreen } from "./keys";
export { InvitationScreen } from "./invitation";
export { PeopleScreen } from "./people";
export { SecurityScreen } from "./security";
export { SetupScreen } from "./setup";
