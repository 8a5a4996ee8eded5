// #core: the contract. Adapters have a second door, #adapter-kit; nothing else of ours may be imported from outside core.
export { Type, type Static, type TSchema } from '@sinclair/typebox'
export * from './contract/json.ts'
export * from './contract/constants.ts'
export * from './contract/known-device.ts'
export * from './contract/errors.ts'
export * from './contract/events.ts'
export * from './contract/option-actions.ts'
export * from './contract/options.ts'
export * from './contract/http.ts'
export * from './contract/dialect.ts'
export * from './contract/client-dialect.ts'
export * from './contract/neutral.ts'
export * from './contract/adapter.ts'
export * from './contract/http-client.ts'
export * from './contract/imports.ts'
export * from './contract/provider-face.ts'
export * from './contract/prices.ts'
export * from './contract/narrowing.ts'
export * from './contract/relay.ts'
export * from './contract/relay-points.ts'
export * from './contract/task.ts'
export * from './contract/monitoring.ts'
export { requireSeen } from './contract/seen-text.ts'
export * from './contract/same-secret.ts'
export * from './contract/services.ts'
export * from './contract/sign-in.ts'
export * from './contract/site-address.ts'
export * from './contract/web-address.ts'
export * from './contract/payment.ts'
export * from './contract/plugin.ts'
export * from './contract/plugin-row.ts'
export { commonSettings } from './channels/common-settings.ts'
export {
  channelBody,
  newChannelBody,
  type ChannelBody,
  type NewChannelBody,
} from './data/models/channel.ts'
export {
  newTokenBody,
  tokenBody,
  type NewTokenBody,
  type TokenBody,
} from './data/models/token.ts'
export { newUserBody, userBody, type NewUserBody, type UserBody } from './data/models/user.ts'
export * from './http/body-fields.ts'
export * from './http/access/key-holders.ts'
export { concurrencyLimit } from './limits/concurrency-limit.ts'
export { clientNetwork } from './net/addresses/client-network.ts'
export { clientIssuer } from './sign-in/client-issuer.ts'
export { exchangeCode, type CodeExchange } from './sign-in/exchange-code.ts'
export { manyRowsFrom } from './data/named-values.ts'
export { selectMany } from './data/select-many-sql.ts'
export { hourSums } from './logs/hour-sums-sql.ts'
export { logCuts } from './logs/log-clearing-sql.ts'
export { hoursOfAll, idSpan as logIdSpan } from './logs/log-quarters-sql.ts'
export { quotaText } from './billing/quota-text.ts'
export type { GatewaySettings } from './app/gateway-settings.ts'
