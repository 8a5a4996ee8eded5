// The options that the relay, billing or /api/status read. Keys, types and defaults: the console API's option table.
import { Type } from '@sinclair/typebox'
import { type DefaultPrices, defaultPrices, stepOption } from '../billing/prices/default-prices.ts'
import { checkCoreOption } from './check-core-option.ts'
import type { PriceStep } from '../contract/prices.ts'
import { defineOptions, type OptionDefinitions, type OptionUi } from '../contract/options.ts'

/** The shipped groups and tool prices; main.ts reads them from config/defaults. */
export interface DefaultMaps {
  groupRatio: Record<string, number>
  userUsableGroups: Record<string, string>
  topupGroupRatio: Record<string, number>
  toolPrices: Record<string, number>
}

/** Far above any real price or ratio. A larger value is a mistake, and calls could not be charged with it. */
const MOST_PRICE = 1_000_000_000_000_000

type CountUi = OptionUi & { minimum?: number; maximum?: number }

const ui = (tab: string, section: string, more: OptionUi = {}) => ({
  'x-ui': { tab, section, ...more },
})
const text = (tab: string, section: string, fallback = '', more: OptionUi = {}) =>
  Type.String({ default: fallback, ...ui(tab, section, more) })
const flag = (tab: string, section: string, fallback: boolean, more: OptionUi = {}) =>
  Type.Boolean({ default: fallback, ...ui(tab, section, more) })
const count = (
  tab: string,
  section: string,
  fallback: number,
  { minimum = 0, maximum = 2_147_483_647, ...more }: CountUi = {},
) => Type.Integer({ default: fallback, minimum, maximum, ...ui(tab, section, more) })
/** An amount of quota, entered in the unit in which the operator displays it. */
const amount = () =>
  count('operation', 'quota', 0, { maximum: Number.MAX_SAFE_INTEGER, widget: 'quota' })
const numbers = (fallback: Record<string, number>, section = 'prices') =>
  Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: MOST_PRICE }), {
    default: fallback,
    ...ui('operation', section),
  })
/** Prices that depend on the length of the prompt; the factors multiply the model's own prices. */
const priceSteps = (fallback: Record<string, readonly PriceStep[]>) => {
  const factor = Type.Number({ minimum: 0, maximum: MOST_PRICE })
  const above = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
  const step = { above, input: factor, output: factor, cacheRead: Type.Optional(factor) }
  return Type.Record(
    Type.String(),
    Type.Array(Type.Object(step, { additionalProperties: false }), { maxItems: 20 }),
    {
      default: fallback,
      ...ui('operation', 'prices', {
        example: { 'gemini-3.1-pro-preview': [{ above: 200_000, input: 2, output: 1.5 }] },
      }),
    },
  )
}
/** Minutes between runs; 0 means never. */
const every = (more: OptionUi) =>
  count('operation', 'monitoring', 0, { maximum: 525_600, unit: 'minutes', ...more })
const leftOver = () => Type.Integer({ default: 0, ...ui('other', 'legacy', { hidden: true }) })

/** Parts of upstream error messages that mean that the account is closed or empty. */
const disableKeywords = [
  'credit balance is too low',
  'organization has been disabled',
  'exceeded your current quota',
  'permission denied',
  'security token included in the request is invalid',
  'operation not allowed',
  'account is not authorized',
].join('\n')

const retryStatusCodes = '401-407,409-412,414-421,423-499,500-503,505-523,525-599'

/** @param prices default prices of models, from the adapters of the current generation */
export function coreOptions(
  defaults: DefaultMaps,
  prices: DefaultPrices = defaultPrices([]),
): OptionDefinitions {
  return defineOptions(
    {
      ...priceOptions(defaults, prices),
      ...generalOptions(),
      ...paymentOptions(defaults),
      ...relayOptions(),
      ...dialectOptions(),
      ...leftOvers(),
    },
    { check: checkCoreOption },
  )
}

function priceOptions(defaults: DefaultMaps, prices: DefaultPrices) {
  return {
    ModelPrice: numbers(prices.price),
    ModelRatio: numbers(prices.ratio),
    CompletionRatio: numbers(prices.completion),
    CacheRatio: numbers(prices.cacheRead),
    CreateCacheRatio: numbers(prices.cacheWrite),
    ImageRatio: numbers(prices.image),
    ImageCompletionRatio: numbers(prices.imageCompletion),
    AudioRatio: numbers(prices.audio),
    AudioCompletionRatio: numbers(prices.audioCompletion),
    [stepOption]: priceSteps(prices.steps),
    GroupRatio: numbers(defaults.groupRatio, 'groups'),
    UserUsableGroups: Type.Record(Type.String(), Type.String(), {
      default: defaults.userUsableGroups,
      ...ui('operation', 'groups'),
    }),
    AutoGroups: Type.Array(Type.String(), {
      default: ['default'],
      ...ui('operation', 'groups', { choicesFrom: '/api/group/' }),
    }),
    DefaultUseAutoGroup: flag('operation', 'groups', false),
    'tool_price_setting.prices': numbers(defaults.toolPrices, 'tools'),
  }
}

function generalOptions() {
  return {
    ServerAddress: text('system', 'address', '', { url: true }),
    WorkerUrl: text('system', 'worker', '', { url: true }),
    WorkerValidKey: text('system', 'worker', '', { secret: true, boundTo: ['WorkerUrl'] }),
    WorkerAllowHttpImageRequestEnabled: flag('system', 'worker', false),
    // Both are part of every /api/status answer. A logo may be a data URL.
    SystemName: Type.String({ default: 'Tollgate', maxLength: 100, ...ui('other', 'branding') }),
    Logo: Type.String({ default: '', maxLength: 100_000, ...ui('other', 'branding') }),
    Footer: text('other', 'pages', '', { widget: 'rich-text', order: 90 }),
    RegisterEnabled: flag('system', 'sign-in', true, { order: 30 }),
    AdminSecondFactorRequired: flag('system', 'sign-in', false, { order: 40 }),
    QuotaForNewUser: amount(),
    QuotaForInviter: amount(),
    QuotaForInvitee: amount(),
    'general_setting.docs_link': text('operation', 'general', '', { order: 20 }),
    'general_setting.monitor_link': text('operation', 'general', '', { order: 21 }),
    'general_setting.token_query_link': text('operation', 'general', '', { order: 22 }),
    QuotaPerUnit: Type.Number({
      default: 500_000,
      exclusiveMinimum: 0,
      maximum: 1_000_000_000,
      ...ui('operation', 'general', { order: 30 }),
    }),
    DisplayInCurrencyEnabled: flag('operation', 'general', true),
    DisplayTokenStatEnabled: flag('operation', 'general', true),
    DefaultCollapseSidebar: flag('operation', 'general', false),
    DemoSiteEnabled: flag('operation', 'general', false, { order: 60 }),
    SelfUseModeEnabled: flag('operation', 'general', false, { order: 61 }),
  }
}

function paymentOptions(defaults: DefaultMaps) {
  const needs = ['ServerAddress']
  const place = (order: number) => ui('system', 'payment', { order, needs })
  return {
    Price: Type.Number({ default: 7.3, minimum: 0, maximum: 1_000_000, ...place(10) }),
    MinTopUp: Type.Integer({ default: 1, minimum: 0, maximum: 1_000_000_000, ...place(11) }),
    TopupGroupRatio: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: MOST_PRICE }), {
      default: defaults.topupGroupRatio,
      ...place(12),
    }),
    'payment_setting.amount_options': Type.Array(
      Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
      { default: [10, 20, 50, 100, 200, 500], maxItems: 20, ...place(13) },
    ),
    'payment_setting.amount_discount': Type.Record(
      Type.String(),
      Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
      { default: {}, ...ui('system', 'payment', { order: 14, needs, example: { 100: 0.95 } }) },
    ),
    CustomCallbackAddress: text('system', 'payment', '', { order: 15, needs, url: true }),
  }
}

function relayOptions() {
  return {
    ChannelAffinityEnabled: flag('operation', 'general', true, { order: 41 }),
    ResponseCacheSharing: flag('operation', 'general', false, { order: 42 }),
    RetryTimes: count('operation', 'general', 0, { maximum: 100, order: 40 }),
    PreConsumedQuota: count('operation', 'quota', 500, { unit: 'tokens', order: 60 }),
    LogConsumeEnabled: flag('operation', 'logs', true),
    ChannelDisableThreshold: Type.Number({
      default: 5,
      minimum: 0,
      ...ui('operation', 'monitoring', { unit: 'seconds', order: 10 }),
    }),
    AutomaticDisableChannelEnabled: flag('operation', 'monitoring', false, { order: 20 }),
    AutomaticEnableChannelEnabled: flag('operation', 'monitoring', false, { order: 21 }),
    AutomaticDisableKeywords: text('operation', 'monitoring', disableKeywords, {
      widget: 'lines',
      order: 30,
      showIf: { AutomaticDisableChannelEnabled: true },
    }),
    ChannelTestFrequency: every({ order: 40 }),
    ChannelUpdateFrequency: every({ order: 41 }),
    AutomaticRetryStatusCodes: text('operation', 'monitoring', retryStatusCodes, { order: 60 }),
    'general_setting.ping_interval_enabled': flag('models', 'global', false),
    'general_setting.ping_interval_seconds': count('models', 'global', 60, {
      minimum: 1,
      maximum: 3600,
      unit: 'seconds',
      showIf: { 'general_setting.ping_interval_enabled': true },
    }),
    'global.pass_through_request_enabled': flag('models', 'global', false),
  }
}

function dialectOptions() {
  const share = (fallback: number, section: string) =>
    Type.Number({
      default: fallback,
      minimum: 0.1,
      maximum: 1,
      ...ui('models', section, { showIf: { [`${section}.thinking_adapter_enabled`]: true } }),
    })
  return {
    'claude.model_headers_settings': Type.Record(
      Type.String(),
      Type.Record(Type.String(), Type.Array(Type.String())),
      {
        default: {},
        ...ui('models', 'claude', {
          example: { 'claude-opus-4-6': { 'anthropic-beta': ['context-1m-2025-08-07'] } },
        }),
      },
    ),
    'claude.default_max_tokens': Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      default: { default: 8192 },
      ...ui('models', 'claude', {
        example: { default: 8192, 'claude-3-haiku-20240307': 4096, 'claude-3-opus-20240229': 4096 },
      }),
    }),
    'claude.thinking_adapter_enabled': flag('models', 'claude', true),
    'claude.thinking_adapter_budget_tokens_percentage': share(0.8, 'claude'),
    'gemini.safety_settings': Type.Record(Type.String(), Type.String(), {
      default: { HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE', default: 'OFF' },
      ...ui('models', 'gemini'),
    }),
    'gemini.version_settings': Type.Record(Type.String(), Type.String(), {
      default: { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
      ...ui('models', 'gemini'),
    }),
    'gemini.supported_imagine_models': Type.Array(Type.String(), {
      default: ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-exp'],
      ...ui('models', 'gemini', { choicesFrom: '/api/channel/models_enabled' }),
    }),
    'gemini.thinking_adapter_enabled': flag('models', 'gemini', false),
    'gemini.thinking_adapter_budget_tokens_percentage': share(0.6, 'gemini'),
  }
}

// Options without effect, which older consoles read and write.
function leftOvers() {
  return {
    StreamCacheQueueLength: leftOver(),
    FileUploadPermission: leftOver(),
    FileDownloadPermission: leftOver(),
    ImageUploadPermission: leftOver(),
    ImageDownloadPermission: leftOver(),
  }
}
