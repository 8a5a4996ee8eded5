// The types of what a plugin adds to the console. It is data only, and is read before any code of the plugin is
// loaded.
import type { ComponentType } from 'react'
import type { Access, SessionUser } from '../stores/session.ts'
import type { Status } from '../stores/status.ts'

/** The default export of `plugins/<id>/console/index.ts`, or of an external plugin's console module. */
export interface ConsolePlugin {
  screens?: readonly Screen[]
  /** Menu entries without a screen of their own: external links, generated lists. */
  menu?: readonly MenuEntry[]
  /** Cards of the overview. */
  widgets?: readonly Widget[]
  /** Further ways to sign in, shown below the password form. */
  signInMethods?: readonly SignInMethod[]
  /** Parts of the settings page beside the fields of options. */
  settings?: readonly SettingsPart[]
  /** Rows of the account bindings that belong to no sign-in method of the server. */
  bindings?: readonly AccountBinding[]
  /** Widgets that tell people from programs and provide a token. */
  botChecks?: readonly BotCheckPart[]
  /** Columns and actions in tables of other plugins. */
  tables?: readonly TableAddition[]
  /** Sections in drawers of other plugins. */
  drawers?: readonly DrawerSection[]
  /** Cards of the home page. */
  home?: readonly HomeCard[]
  /** Texts of an external plugin. Built-in plugins have theirs in `locales/`. */
  texts?: { en: Record<string, unknown>; zh: Record<string, unknown> }
}

export interface Screen {
  /** A pattern of the router: `/token`, `/user/edit/:id?`. */
  path: string
  /** Key in the plugin's texts: the title of the browser tab. */
  title: string
  /** Who may see the screen; left out: every signed-in user. */
  access?: Access
  /** `console` (default): with the sidebar. `plain`: top bar only. `bare`: nothing around it. */
  frame?: 'console' | 'plain' | 'bare'
  /** Left out: the screen has no menu entry and is reached by its address only. */
  menu?: MenuPlace
  load: () => Promise<{ default: ComponentType }>
}

export type MenuGroup = 'top' | 'playground' | 'console' | 'admin' | 'personal'

export interface MenuPlace {
  /** Left out: the screen's title. */
  label?: string
  /** `top` is the top bar; `playground` is above the groups. */
  group: MenuGroup
  /** Ascending; the built-in ones leave gaps of ten. */
  order: number
  /** An Arco outline icon; not needed in the top bar. */
  icon?: ComponentType
  isVisible?: (context: MenuContext) => boolean
}

export interface MenuEntry extends MenuPlace {
  id: string
  label: string
  access?: Access
  /** A path of the console or an external address. The entry is hidden where this returns nothing. */
  link?: (context: MenuContext) => string | undefined
  /** Sub-entries with texts of their own instead of keys (saved chats have names). */
  children?: (context: MenuContext) => readonly { label: string; link: string }[]
}

export interface MenuContext {
  user: SessionUser | undefined
  status: Status | undefined
}

/** For a method that the server lists (`sign_in_methods`), it describes the button. A method that the server does
 *  not list brings its own button. */
export interface SignInMethod {
  /** The id of the method on the server. */
  id: string
  order: number
  icon?: ComponentType
  /** Key of the method's name in the plugin's texts, for a method that the server does not list. */
  label?: string
  /** Left out: the method is shown while the server lists it. */
  isEnabled?(status: Status): boolean
  /** Draws a button and handles the press. Left out: a button that leads to the provider's page. */
  load?: () => Promise<{ default: ComponentType }>
  /** Draws the button that binds the signed-in user. Left out: a button that leads to the provider's page. */
  loadBinding?: () => Promise<{ default: ComponentType<BindingButtonProps> }>
}

export interface BindingButtonProps {
  /** The name of the method in the user's language. */
  name: string
  /** Fetches the bindings again. */
  onDone(): void
}

/** A row that is drawn with `BindingRow`: an e-mail address, a passkey. */
export interface AccountBinding {
  id: string
  order: number
  isVisible?(status: Status): boolean
  /** The row is also a second factor: it is shown, too, where an admin has to set one up. */
  isFactor?: boolean
  load: () => Promise<{ default: ComponentType }>
}

/** A part of the settings page that no schema can describe: an action, a table, an editor. */
export interface SettingsPart {
  id: string
  /** As in the `x-ui` of options: the part is shown in that card, below its fields. A section without options gets a
   *  card for it. */
  tab: string
  section: string
  /** Options that the part edits itself. The page draws no fields for them. */
  options?: readonly string[]
  load: () => Promise<{ default: ComponentType<SettingsPartProps> }>
}

export interface SettingsPartProps {
  /** Reports unsaved changes, so that the page asks before they are lost. */
  onChanged(hasChanges: boolean): void
}

export interface BotCheckPart {
  id: string
  isEnabled(status: Status): boolean
  /** A new `key` requests a new token. */
  load: () => Promise<{ default: ComponentType<BotCheckProps> }>
}

export interface BotCheckProps {
  /** Called with undefined when the token has expired. */
  onToken(token: string | undefined): void
}

export interface Widget {
  id: string
  /** Key of the card's name in the plugin's texts, shown in the error that replaces a failed card. */
  title: string
  /** Who may see the card; left out: every signed-in user. */
  access?: Access
  /** Ascending; the built-in ones leave gaps of ten. */
  order: number
  /** A third, a half or the whole of a row. On a phone it always fills the row. */
  size: 'small' | 'medium' | 'wide'
  /** Left out: the card is always shown. */
  isVisible?: (context: MenuContext) => boolean
  /** Draws its own card. A component that renders nothing takes no room. */
  load: () => Promise<{ default: ComponentType }>
}

/** A row of a table or the record of a drawer, as the server sent it to this user. */
export type SlotRecord = Readonly<Record<string, unknown>>

export interface TableAddition {
  /** The table: `users`, `channels`, `tokens`, `logs`, or the name that another plugin gives its own (`slot` of
   *  DataTable). */
  id: string
  columns?: readonly AddedColumn[]
  rowActions?: readonly AddedAction[]
}

export interface AddedColumn {
  id: string
  /** Key in the plugin's texts. */
  title: string
  /** Who may see the column; left out: everybody who sees the table. */
  access?: Access
  align?: 'left' | 'right'
  /** Hidden until the user picks it. */
  isOptional?: boolean
  /** On a phone: shown on the second line of the card; left out: shown after a tap. */
  card?: 'fact'
  /** Draws a cell. Data that it needs is fetched once for the page: `rows` is the same for all cells. */
  load: () => Promise<{ default: ComponentType<AddedCellProps> }>
}

export interface AddedCellProps {
  row: SlotRecord
  /** All rows of the page. */
  rows: readonly SlotRecord[]
}

/** An action has a `link`, or a `load` that draws a dialog. */
export interface AddedAction {
  id: string
  /** Key of a verb in the plugin's texts. */
  label: string
  access?: Access
  isVisible?: (row: SlotRecord) => boolean
  /** A path of the console or an external address. The action is hidden where this returns nothing. */
  link?: (row: SlotRecord) => string | undefined
  load?: () => Promise<{ default: ComponentType<AddedActionProps> }>
}

export interface AddedActionProps {
  row: SlotRecord
  onClose(): void
  /** Fetches the rows of the table again. */
  refresh(): Promise<unknown>
}

/** A section of a drawer. It reads and saves its own data with its own button. */
export interface DrawerSection {
  id: string
  /** `user`, `channel`, `token`, or the name that another plugin gives its own drawer (`slot` of EditDrawer). */
  drawer: string
  /** Key of the heading in the plugin's texts. */
  title: string
  access?: Access
  /** Ascending; the built-in ones leave gaps of ten. */
  order: number
  isVisible?: (record: SlotRecord) => boolean
  load: () => Promise<{ default: ComponentType<DrawerSectionProps> }>
}

export interface DrawerSectionProps {
  record: SlotRecord
  /** Reports unsaved changes, so that the drawer asks before they are lost. */
  onChanged(hasChanges: boolean): void
}

export interface HomeCard {
  id: string
  /** Who may see the card; left out: everybody, visitors included. */
  access?: Access
  order: number
  /** Above or below the content of the page; left out: below. */
  place?: 'above' | 'below'
  isVisible?: (context: MenuContext) => boolean
  /** Draws its own card. A component that renders nothing takes no room. */
  load: () => Promise<{ default: ComponentType }>
}

/** An entry with the id of its plugin, so that faults can be attributed. */
export type Owned<T> = T & { owner: string }
