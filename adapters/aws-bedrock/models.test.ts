import { describe, expect, it } from 'vitest'
import { readCredentials } from './credentials.ts'
import { bedrockId } from './models.ts'

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
    {
      model: 'global.anthropic.claude-x-v1:0',
      region: 'us-east-1',
      id: 'global.anthropic.claude-x-v1:0',
    },
  ])('is $id in $region', ({ model, region, id }) => {
    expect(bedrockId(model, region)).toBe(id)
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
