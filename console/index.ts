// #console: what a plugin's screen may import. For outsiders it is `tollgate/console`.
// Whoever checks types against it from outside has no settings of ours.
/// <reference types="vite/client" />
// oxlint-disable-next-line typescript/triple-slash-reference -- it declares modules of the build; there is nothing to import
/// <reference path="./texts/virtual-titles.d.ts" />

// What a plugin adds
export type {
  AccountBinding,
  AddedAction,
  AddedActionProps,
  AddedCellProps,
  AddedColumn,
  BindingButtonProps,
  BotCheckPart,
  BotCheckProps,
  ConsolePlugin,
  DrawerSection,
  DrawerSectionProps,
  HomeCard,
  MenuContext,
  MenuEntry,
  MenuGroup,
  MenuPlace,
  Owned,
  Screen,
  SettingsPart,
  SettingsPartProps,
  SignInMethod,
  SlotRecord,
  TableAddition,
  Widget,
} from './registry/console-plugin.ts'
export { useRegistry } from './registry/registry.ts'
export { SettingsSlot } from './shell/settings-slot.tsx'
export { HomeCards } from './registry/slots/home-cards.tsx'
export { Widgets } from './registry/widgets.tsx'

// The server
export { ApiError, api, download } from './api/client.ts'
export { saveFile } from './api/save-file.ts'
export type { CallOptions, Envelope, QueryValues } from './api/client.ts'
export { messageOf, useAction } from './api/use-action.ts'
export { loadScript } from './api/load-script.ts'
export {
  mayCall,
  tokenNameOf,
  useAutomaticGroup,
  useGroupNames,
  useOwnAccount,
  useOwnGroups,
  useOwnModels,
  useOwnTokens,
} from './api/own-data.ts'
export type { GroupFacts, OwnAccount, OwnToken } from './api/own-data.ts'
export { READ_LIMIT_MS } from './api/time-limit.ts'
export { openStream, PROVIDER_REFUSED_KEY } from './api/stream.ts'
export { useData } from './api/use-data.ts'
export { useOpenedRecord } from './api/use-opened-record.ts'
export type { OpenedRecord } from './api/use-opened-record.ts'
export type { Data, DataOptions } from './api/use-data.ts'
export type { Filters } from './api/use-filters.ts'
export { useList } from './api/use-list.ts'
export type { List, ListOptions, ListShape } from './api/use-list.ts'
export { useOptions } from './api/use-options.ts'
export type { Options } from './api/use-options.ts'

// Who is there, what the server says, what the person chose
export { useCanVisit } from './registry/use-can-visit.ts'
export { mayAccess, useIsAdmin, useSession } from './stores/session.ts'
export type { Access, SessionUser } from './stores/session.ts'
export { serverAddressOf, useStatus, useStatusStore } from './stores/status.ts'
export type { Status } from './stores/status.ts'
export { usePreferences } from './stores/preferences.ts'
export { readStored, readStoredJson, writeStored } from './stores/storage.ts'

// Signing in
export { AccountBindings, FactorBindings } from './sign-in/account-bindings.tsx'
export {
  finishSignIn,
  secondFactorPath,
  useFactorKinds,
  useSignInAnswer,
} from './sign-in/finish-sign-in.ts'
export type { FactorKind, SignInAnswer } from './sign-in/finish-sign-in.ts'
export { askPasskey, createPasskey, hasPasskeys, stopAskingPasskey } from './sign-in/passkey.ts'
export type { PasskeyQuestion } from './sign-in/passkey.ts'
export { BindingRow } from './sign-in/binding-row.tsx'
export type { BindingRowProps } from './sign-in/binding-row.tsx'
export { takeReturnAddress } from './sign-in/return-address.ts'
export { MailedCode, useMailPause } from './sign-in/mailed-code.tsx'
export { MethodButton } from './sign-in/method-button.tsx'
export { SignInMethods } from './sign-in/sign-in-methods.tsx'
export { startSignIn } from './sign-in/start-sign-in.ts'
export { useBotCheck } from './sign-in/use-bot-check.tsx'
export type { BotCheckState } from './sign-in/use-bot-check.tsx'
export { useSignInMethods } from './sign-in/methods.ts'
// What numbers of rows mean
export {
  channelStatus,
  logType,
  nameLength,
  passwordLength,
  pluginIdForm,
  role,
  tokenStatus,
  userStatus,
} from '../core/contract/constants.ts'
export { isObject, objectIn } from '../core/contract/json.ts'
export { knownDevice, type KnownProgram } from '../core/contract/known-device.ts'
export { byName } from '../core/contract/natural-order.ts'

// Words and numbers
export { textsOf, useTexts } from './texts/use-texts.ts'
export type { Texts } from './texts/use-texts.ts'
export { chatLinksOf, chatTargetOf } from './format/chat-links.ts'
export type { ChatLink, ChatTarget } from './format/chat-links.ts'
export {
  formatCount,
  formatDollars,
  formatExact,
  formatQuota,
  formatRatio,
  formatWholeQuota,
  unitsOf,
} from './format/quota.ts'
export type { QuotaStyle } from './format/quota.ts'
export { ApiDocsLink } from './kit/values/api-docs-link.tsx'
export { formatPercent } from './format/percent.ts'
export { exampleModelOf } from './format/example-model.ts'
export { firstNames } from './format/first-names.ts'
export { jsonInShell } from './format/json-in-shell.ts'
export { groupBy } from './format/group-by.ts'
export { readUrl } from './format/read-url.ts'
export { splitList } from './format/split-list.ts'
export {
  formatClock,
  formatDay,
  formatDuration,
  formatRelative,
  formatTime,
} from './format/time.ts'

// Frame of a screen
export { Card, Page } from './kit/page.tsx'
export { AddButton } from './kit/add-button.tsx'
export { RefreshButton } from './kit/refresh-button.tsx'
export { EntryCard } from './kit/entry-card.tsx'
export { FigureCard } from './kit/figure-card.tsx'
export type { FigureCardProps } from './kit/figure-card.tsx'
export { Tabs } from './kit/tabs.tsx'
export type { TabItem } from './kit/tabs.tsx'
export { EmptyBalance } from './kit/empty-balance.tsx'
export { Loaded } from './kit/loaded.tsx'
export { EmptyState, ErrorState, Loading } from './kit/states.tsx'
export { useIsNarrow, useIsPhone } from './kit/use-is-phone.ts'

// Lists
export { DataTable } from './kit/lists/data-table.tsx'
export type { DataTableProps } from './kit/lists/data-table.tsx'
export type { Column } from './kit/lists/column.ts'
export { FilterBar } from './kit/lists/filter-bar.tsx'
export type { FilterField } from './kit/lists/filter-bar.tsx'
export { ActionMenu } from './kit/lists/action-menu.tsx'
export { runAction } from './kit/lists/action.ts'
export type { Action } from './kit/lists/action.ts'
export { RowActions } from './kit/lists/row-actions.tsx'
export { useDrawerAddress } from './kit/lists/use-drawer-address.ts'
export { useEditing, useInitial } from './kit/lists/use-editing.ts'
export type { Editing } from './kit/lists/use-editing.ts'
export { BulkBar, type BulkAction } from './kit/lists/bulk-bar.tsx'
export { type Failure, runForEach, type RunWatch } from './kit/lists/run-for-each.ts'
export { Pager } from './kit/lists/pager.tsx'
export { TableScroll } from './kit/lists/table-scroll.tsx'
export { useAlignedPoints } from './kit/lists/use-aligned-points.ts'
export { InlineNumber } from './kit/lists/inline-number.tsx'

// Forms
export { EditDrawer } from './kit/forms/edit-drawer.tsx'
export type { EditDrawerProps } from './kit/forms/edit-drawer.tsx'
export { Dialog } from './kit/dialog.tsx'
export type { DialogProps } from './kit/dialog.tsx'
export { FocusReturn } from './kit/focus-return.tsx'
export { focusFirstFault } from './kit/forms/first-fault.ts'
export { useFormAction } from './kit/forms/use-form-action.ts'
export { LeaveGuard, useLeaveQuestion } from './kit/forms/leave-question.tsx'
export { useUnsaved } from './kit/forms/use-unsaved.ts'
export {
  Field,
  FoldedSection,
  FormSection,
  useFormSetter,
  useFormValue,
} from './kit/forms/field.tsx'
export type { FieldProps } from './kit/forms/field.tsx'
export { SidePanel } from './kit/forms/drawer.tsx'
export { NewPassword, PasswordInput, RepeatedPassword } from './kit/forms/password-input.tsx'
export { MultiSelect, Select } from './kit/forms/select.tsx'
export type { Choice } from './kit/forms/select.tsx'
export { fieldRule } from './kit/forms/field-rules.ts'
export { NumberInput } from './kit/forms/number-input.tsx'
export { GrowingText } from './kit/growing-text.tsx'
export { MomentInput } from './kit/forms/moment-input.tsx'
export { default as OwnPeriod } from './kit/forms/own-period.tsx'
export { PeriodInput, usePeriodWords } from './kit/forms/period-input.tsx'
export { SecretInput } from './kit/forms/secret-input.tsx'
export { TickBox } from './kit/forms/tick-box.tsx'
export { Toggle } from './kit/forms/toggle.tsx'
export { JsonField, jsonRule } from './kit/forms/json-field.tsx'
export { findJsonFault, formatJson } from './kit/forms/json-fault.ts'
export { OptionForm } from './kit/forms/option-form.tsx'
export { labelOf as optionLabelOf, SchemaForm } from './kit/forms/schema-form.tsx'
export type { SchemaValues } from './kit/forms/schema-form.tsx'
export type { FieldSchema } from './kit/forms/schema.ts'

// Values
export { Quota, QuotaInput, useQuotaStyle } from './kit/values/quota.tsx'
export { Duration, Time, TookTime } from './kit/values/time.tsx'
export { ModelMark, ModelName, ProviderMark } from './kit/values/marks.tsx'
export type { MarkSize } from './kit/values/marks.tsx'
export { Label, StatusTag } from './kit/values/status-tag.tsx'
export { Labels } from './kit/values/labels.tsx'
export type { Tone } from './kit/values/status-tag.tsx'
export { SecretText, maskSecret } from './kit/values/secret-text.tsx'
export { Details } from './kit/values/details.tsx'
export type { Detail } from './kit/values/details.tsx'
export { Frame, RichText } from './kit/values/html.tsx'
export { Progress } from './kit/values/progress.tsx'
export { TextPreview, useTextDialog } from './kit/values/text-dialog.tsx'

// Small things
export { confirm } from './kit/confirm.tsx'
export type { Confirmation, ConfirmOptions } from './kit/confirm.tsx'
export { BaseUrl } from './kit/values/base-url.tsx'
export { CopyButton, CopyLabel, copyText, tryCopy } from './kit/values/copy.tsx'
export { Hint } from './kit/hint.tsx'
export { IconButton } from './kit/icon-button.tsx'
export { isComposing } from './kit/is-composing.ts'
export { toast } from './kit/toast.ts'
