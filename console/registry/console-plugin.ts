// What a plugin adds to the console: data only, read before anything of the plugin is loaded.
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
  /** What stands on the settings page beside the fields of options. */
  settings?: readonly SettingsPart[]
  /** Rows of the block of bindings that belong to no sign-in method of the server's list. */
  bindings?: readonly AccountBinding[]
  /** Tells people from programs: draws its widget and hands over a token. */
  botChecks?: readonly BotCheckPart[]
  /** Columns and actions in tables of other plugins. */
  tables?: readonly TableAddition[]
  /** Sections in drawers of other plugins. */
  drawers?: readonly DrawerSection[]
  /** Cards of the home page. */
  home?: readonly HomeCard[]
  /** Texts of an external plugin. Built-in ones have theirs in `locales/`. */
  texts?: { en: Record<string, unknown>; zh: Record<string, unknown> }
}

export interface Screen {
  /** A pattern of the router: `/token`, `/user/edit/:id?`. */
  path: string
  /** Key in the plugin's texts: the title of the browser tab. */
  title: string
  /** Who may see it. Left out: every signed-in user. */
  access?: Access
  /** `console` (default): with the sidebar. `plain`: top bar only. `bare`: nothing around it. */
  frame?: 'console' | 'plain' | 'bare'
  /** Left out: reachable by its address only. */
  menu?: MenuPlace
  load: () => Promise<{ default: ComponentType }>
}

export type MenuGroup = 'top' | 'playground' | 'console' | 'admin' | 'personal'

export interface MenuPlace {
  /** Left out: the screen's title. */
  label?: string
  /** `top` is the top bar; `playground` stands above the groups. */
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
  /** A path of the console or an address outside; nothing hides the entry. */
  link?: (context: MenuContext) => string | undefined
  /** Sub-entries, with their own words (saved chats have names, not keys). */
  children?: (context: MenuContext) => readonly { label: string; link: string }[]
}

export interface MenuContext {
  user: SessionUser | undefined
  status: Status | undefined
}

/** Of a method that the server lists (`sign_in_methods`) it says how it looks; one that the server does not list brings a button of its own. */
export interface SignInMethod {
  /** The id of the server's method. */
  id: string
  order: number
  icon?: ComponentType
  /** Key of its name in the plugin's texts, for one that the server does not list. */
  label?: string
  /** Left out: it is shown while the server lists it. */
  isEnabled?(status: Status): boolean
  /** Draws its own button, and does what pressing it needs. Left out: a button that leads to the provider's page. */
  load?: () => Promise<{ default: ComponentType }>
  /** Draws the button that binds the signed-in user. Left out: as above. */
  loadBinding?: () => Promise<{ default: ComponentType<BindingButtonProps> }>
}

export interface BindingButtonProps {
  /** The method's name in the language of the person. */
  name: string
  /** Reads the bindings anew. */
  onDone(): void
}

/** A row of its own, drawn with `BindingRow`: an e-mail address, a passkey. */
export interface AccountBinding {
  id: string
  order: number
  isVisible?(status: Status): boolean
  /** It is a second factor too: drawn also where an admin has to set one up. */
  isFactor?: boolean
  load: () => Promise<{ default: ComponentType }>
}

/** A piece of the settings page that no schema can draw: an action, a table, an editor of its own. */
export interface SettingsPart {
  id: string
  /** As in the `x-ui` of options: the part stands in that card, below its fields; a section without options gets a card for it. */
  tab: string
  section: string
  /** Options that the part edits itself: the page draws no fields for them. */
  options?: readonly string[]
  load: () => Promise<{ default: ComponentType<SettingsPartProps> }>
}

export interface SettingsPartProps {
  /** Tells whether something is typed that is not saved, so that the page asks before it is lost. */
  onChanged(hasChanges: boolean): void
}

export interface BotCheckPart {
  id: string
  isEnabled(status: Status): boolean
  /** A new `key` asks for a new token. */
  load: () => Promise<{ default: ComponentType<BotCheckProps> }>
}

export interface BotCheckProps {
  /** Undefined when the token before has run out. */
  onToken(token: string | undefined): void
}

export interface Widget {
  id: string
  /** Key in the plugin's texts: what the card shows, for the error in its place. */
  title: string
  /** Who may see it. Left out: every signed-in user. */
  access?: Access
  /** Ascending; the built-in ones leave gaps of ten. */
  order: number
  /** A third, a half or the whole of a row; on a phone always the whole. */
  size: 'small' | 'medium' | 'wide'
  /** Left out: always. */
  isVisible?: (context: MenuContext) => boolean
  /** Draws its own card; one that draws nothing takes no room. */
  load: () => Promise<{ default: ComponentType }>
}

/** A row of a table, or the record of a drawer: as the server sent it to the person in front. */
export type SlotRecord = Readonly<Record<string, unknown>>

export interface TableAddition {
  /** Whose table: `users`, `channels`, `tokens`, `logs`, or what another plugin calls its own (`slot` of DataTable). */
  id: string
  columns?: readonly AddedColumn[]
  rowActions?: readonly AddedAction[]
}

export interface AddedColumn {
  id: string
  /** Key in the plugin's texts. */
  title: string
  /** Who may see it. Left out: whoever sees the table. */
  access?: Access
  align?: 'left' | 'right'
  /** Hidden until it is picked. */
  isOptional?: boolean
  /** On a phone: on the second line of the card; left out, behind a tap. */
  card?: 'fact'
  /** Draws a cell. What it reads it reads once for the page: `rows` are the same for all cells. */
  load: () => Promise<{ default: ComponentType<AddedCellProps> }>
}

export interface AddedCellProps {
  row: SlotRecord
  /** All of the page. */
  rows: readonly SlotRecord[]
}

/** Has a `link`, or a `load` that draws a dialog. */
export interface AddedAction {
  id: string
  /** Key in the plugin's texts: a verb. */
  label: string
  access?: Access
  isVisible?: (row: SlotRecord) => boolean
  /** A path of the console or an address outside; nothing hides the action. */
  link?: (row: SlotRecord) => string | undefined
  load?: () => Promise<{ default: ComponentType<AddedActionProps> }>
}

export interface AddedActionProps {
  row: SlotRecord
  onClose(): void
  /** Reads the table anew. */
  refresh(): Promise<unknown>
}

/** Reads and saves what is its own; the drawer's button to save is the drawer's. */
export interface DrawerSection {
  id: string
  /** `user`, `channel`, `token`, or what another plugin calls its own (`slot` of EditDrawer). */
  drawer: string
  /** Key in the plugin's texts: its heading. */
  title: string
  access?: Access
  /** Ascending; the built-in ones leave gaps of ten. */
  order: number
  isVisible?: (record: SlotRecord) => boolean
  load: () => Promise<{ default: ComponentType<DrawerSectionProps> }>
}

export interface DrawerSectionProps {
  record: SlotRecord
  /** Tells whether something is typed that is not saved, so that the drawer asks before it is lost. */
  onChanged(hasChanges: boolean): void
}

export interface HomeCard {
  id: string
  /** Left out: everybody, visitors too. */
  access?: Access
  order: number
  /** Of the page's own content. Left out: below. */
  place?: 'above' | 'below'
  isVisible?: (context: MenuContext) => boolean
  /** Draws its own card; one that draws nothing takes no room. */
  load: () => Promise<{ default: ComponentType }>
}

/** What the registry keeps: every entry knows its owner, so that a fault is blamed by name. */
export type Owned<T> = T & { owner: string }
