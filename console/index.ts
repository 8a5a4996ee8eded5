// #console: what a plugin's screen may import. For outsiders it is `tollgate/console`.

// What a plugin adds
export type {
  ConsolePlugin,
  MenuContext,
  MenuEntry,
  MenuGroup,
  MenuPlace,
  Screen,
  SignInMethod,
} from './registry/console-plugin.ts'
export { useRegistry } from './registry/registry.ts'

// The server
export { ApiError, api } from './api/client.ts'
export type { CallOptions, Envelope, QueryValues } from './api/client.ts'
export { messageOf, useAction } from './api/use-action.ts'
export { useData } from './api/use-data.ts'
export type { Data, DataOptions } from './api/use-data.ts'
export type { Filters } from './api/use-filters.ts'
export { useList } from './api/use-list.ts'
export type { List, ListOptions, ListShape } from './api/use-list.ts'
export { useOptions } from './api/use-options.ts'
export type { Options } from './api/use-options.ts'

// Who is there, what the server says, what the person chose
export { mayAccess, useIsAdmin, useSession } from './stores/session.ts'
export type { Access, SessionUser } from './stores/session.ts'
export { useStatus, useStatusStore } from './stores/status.ts'
export type { Status } from './stores/status.ts'
export { usePreferences } from './stores/preferences.ts'
export { readStored, readStoredJson, writeStored } from './stores/storage.ts'

// Words and numbers
export { textsOf, useTexts } from './texts/use-texts.ts'
export type { Texts } from './texts/use-texts.ts'
export { formatCount, formatDollars, formatExact, formatQuota, unitsOf } from './format/quota.ts'
export type { QuotaStyle } from './format/quota.ts'
export { formatDuration, formatRelative, formatTime } from './format/time.ts'

// Frame of a screen
export { Card, Page } from './kit/page.tsx'
export { Tabs } from './kit/tabs.tsx'
export type { TabItem } from './kit/tabs.tsx'
export { EmptyState, ErrorState, Loading } from './kit/states.tsx'
export { useIsPhone } from './kit/use-is-phone.ts'

// Lists
export { DataTable } from './kit/data-table.tsx'
export type { DataTableProps } from './kit/data-table.tsx'
export type { Column } from './kit/column.ts'
export { FilterBar } from './kit/filter-bar.tsx'
export type { FilterField } from './kit/filter-bar.tsx'
export { ActionMenu } from './kit/action-menu.tsx'
export { runAction } from './kit/action.ts'
export type { Action } from './kit/action.ts'
export { RowActions } from './kit/row-actions.tsx'
export { BulkBar, runForEach } from './kit/bulk-bar.tsx'
export type { BulkAction, Failure } from './kit/bulk-bar.tsx'
export { Pager } from './kit/pager.tsx'
export { InlineNumber } from './kit/inline-number.tsx'

// Forms
export { EditDrawer } from './kit/edit-drawer.tsx'
export type { EditDrawerProps } from './kit/edit-drawer.tsx'
export { FocusReturn } from './kit/focus-return.tsx'
export { focusFirstFault } from './kit/first-fault.ts'
export { LeaveGuard, useLeaveQuestion } from './kit/leave-question.tsx'
export { Field, FormSection, useFormSetter, useFormValue } from './kit/field.tsx'
export type { FieldProps } from './kit/field.tsx'
export { SidePanel } from './kit/drawer.tsx'
export { MultiSelect, Select } from './kit/select.tsx'
export type { Choice } from './kit/select.tsx'
export { NumberInput } from './kit/number-input.tsx'
export { PeriodInput } from './kit/period-input.tsx'
export { SecretInput } from './kit/secret-input.tsx'
export { TickBox } from './kit/tick-box.tsx'
export { Toggle } from './kit/toggle.tsx'
export { JsonField, jsonRule } from './kit/json-field.tsx'
export { findJsonFault, formatJson } from './kit/json-fault.ts'
export { OptionForm } from './kit/option-form.tsx'
export { SchemaForm } from './kit/schema-form.tsx'
export type { SchemaValues } from './kit/schema-form.tsx'
export type { FieldSchema } from './kit/schema.ts'

// Values
export { Quota, QuotaInput, useQuotaStyle } from './kit/quota.tsx'
export { Duration, Time } from './kit/time.tsx'
export { Label, StatusTag } from './kit/status-tag.tsx'
export type { Tone } from './kit/status-tag.tsx'
export { SecretText, maskSecret } from './kit/secret-text.tsx'
export { Details } from './kit/details.tsx'
export type { Detail } from './kit/details.tsx'
export { Frame, RichText } from './kit/html.tsx'

// Small things
export { confirm } from './kit/confirm.tsx'
export type { ConfirmOptions } from './kit/confirm.tsx'
export { CopyButton, copyText } from './kit/copy.tsx'
export { Hint } from './kit/hint.tsx'
export { IconButton } from './kit/icon-button.tsx'
export { toast } from './kit/toast.ts'
