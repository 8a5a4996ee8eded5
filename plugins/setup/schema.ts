import { Type, type Static } from '@sinclair/typebox'

const maybeText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const maybeFlag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))

export const setupBody = Type.Object({
  username: maybeText,
  password: maybeText,
  confirmPassword: maybeText,
  SelfUseModeEnabled: maybeFlag,
  DemoSiteEnabled: maybeFlag,
  /** Required if the operator has set SETUP_TOKEN. */
  setup_token: maybeText,
})

export type SetupBody = Static<typeof setupBody>

/** `data` of GET /api/setup. */
export interface SetupState {
  status: boolean
  root_init: boolean
  database_type: '' | 'sqlite' | 'postgres'
  needs_setup_token: boolean
}
