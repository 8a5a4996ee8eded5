import { describe, expect, it } from 'vitest'
import { readCredentials } from './credentials.ts'
import { bareId, bedrockId, vendorOf } from './models.ts'
import prices from './prices.json' with { type: 'json' }

describe('the id of a model on Bedrock', () => {
  it.each([
    {
      model: 'claude-opus-4-20250514',
      region: 'us-west-2',
      id: 'us.anthropic.claude-opus-4-20250514-v1:0',
    },
    {
      model: 'claude-opus-4-20250514',
      region: 'eu-west-1',
      id: 'anthropic.claude-opus-4-20250514-v1:0',
    },
    {
      model: 'claude-3-5-sonnet-20241022',
      region: 'ap-south-1',
      id: 'apac.anthropic.claude-3-5-sonnet-20241022-v2:0',
    },
    {
      model: 'claude-3-5-sonnet-20241022',
      region: 'eu-west-1',
      id: 'anthropic.claude-3-5-sonnet-20241022-v2:0',
    },
    { model: 'claude-sonnet-4-6', region: 'ca-central-1', id: 'anthropic.claude-sonnet-4-6' },
    { model: 'claude-sonnet-4-6', region: 'ap-northeast-1', id: 'jp.anthropic.claude-sonnet-4-6' },
    { model: 'claude-opus-4-8', region: 'ap-southeast-2', id: 'au.anthropic.claude-opus-4-8' },
    { model: 'claude-opus-5-5', region: 'eu-west-1', id: 'eu.anthropic.claude-opus-5-5' },
    { model: 'claude-haiku-5-5', region: 'ap-northeast-1', id: 'jp.anthropic.claude-haiku-5-5' },
    // Only a global profile is there, and that leaves the region.
    { model: 'claude-opus-4-8', region: 'ap-south-1', id: 'anthropic.claude-opus-4-8' },
    { model: 'amazon.nova-pro-v1:0', region: 'ap-northeast-1', id: 'apac.amazon.nova-pro-v1:0' },
    { model: 'amazon.nova-pro-v1:0', region: 'us-gov-west-1', id: 'amazon.nova-pro-v1:0' },
    { model: 'nova-pro-v1:0', region: 'us-east-1', id: 'us.amazon.nova-pro-v1:0' },
    { model: 'deepseek.v3.2', region: 'us-east-1', id: 'deepseek.v3.2' },
    {
      model: 'global.anthropic.claude-x-v1:0',
      region: 'us-east-1',
      id: 'global.anthropic.claude-x-v1:0',
    },
  ])('is $id in $region', ({ model, region, id }) => {
    expect(bedrockId(model, region)).toBe(id)
  })
})

describe('the vendor of a model on Bedrock', () => {
  it.each([
    { model: 'claude-sonnet-4-6', vendor: 'anthropic' },
    { model: 'us.anthropic.claude-x-v1:0', vendor: 'anthropic' },
    { model: 'global.amazon.nova-2-lite-v1:0', vendor: 'amazon' },
    { model: 'us-gov.openai.gpt-oss-20b-1:0', vendor: 'openai' },
    { model: 'ai21.jamba-1-5-mini-v1:0', vendor: 'ai21' },
    {
      model: 'arn:aws:bedrock:us-east-1:1:inference-profile/us.meta.llama4-scout-17b-instruct-v1:0',
      vendor: 'meta',
    },
    { model: 'arn:aws:bedrock:us-east-1:1:application-inference-profile/x', vendor: undefined },
    { model: 'gpt-4.1', vendor: undefined },
    { model: 'constructor', vendor: undefined },
  ])('of $model is $vendor', ({ model, vendor }) => {
    expect(vendorOf(model)).toBe(vendor)
  })

  it('has an id without the prefix of a profile', () => {
    expect(bareId('apac.amazon.nova-pro-v1:0')).toBe('amazon.nova-pro-v1:0')
    expect(vendorOf('nova-pro-v1:0')).toBe(vendorOf('amazon.nova-pro-v1:0'))
    expect(bareId('claude-opus-4-6')).toBe('anthropic.claude-opus-4-6-v1')
  })
})

describe('the key of a Bedrock channel', () => {
  it('has three parts with a pair of keys, two with a token', () => {
    expect(readCredentials({ key: 'AK|SK|us-gov-west-1' })).toMatchObject({
      kind: 'keys',
      region: 'us-gov-west-1',
    })
    expect(readCredentials({ key: ' token | eu-west-1 ' })).toMatchObject({
      kind: 'token',
      token: 'token',
    })
  })

  it.each(['', 'AK', 'AK|SK|', 'AK||us-east-1', 'a|b|us-east-1|d', 'AK|not a region'])(
    'is refused when it is %o',
    (key) => {
      expect(() => readCredentials({ key })).toThrow('Region')
    },
  )
})

// Source: docs.aws.amazon.com/bedrock, page "Global cross-Region inference".
it.each(['sonnet-4-5-20250929-v1:0', 'opus-5-5', 'haiku-5-5', 'sonnet-5-5'])(
  'prices the geographic profiles of Claude %s a tenth above the global one',
  (name) => {
    const priceOf = (prefix: string) =>
      prices.models[`${prefix}anthropic.claude-${name}` as keyof typeof prices.models]
    const { ratio, ...others } = priceOf('global.')
    expect(priceOf('')).toEqual({ ratio, ...others })
    for (const prefix of ['us.', 'eu.', 'jp.', 'au.'])
      expect(priceOf(prefix)).toEqual({ ...others, ratio: expect.closeTo(ratio * 1.1, 9) })
  },
)
