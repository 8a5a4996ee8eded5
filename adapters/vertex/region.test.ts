import { describe, expect, it } from 'vitest'
import { hostOf, regionOf } from './region.ts'
import { claudeName, familyOf } from './models.ts'

describe('where a Vertex call goes', () => {
  it.each([
    { other: 'us-central1', model: 'gemini-2.5-pro', region: 'us-central1' },
    { other: '{"default":"asia-east1"}', model: 'gemini-2.5-pro', region: 'asia-east1' },
    { other: '{"default":"a-b1","claude-x":"global"}', model: 'claude-x', region: 'global' },
  ])('is $region for $model and $other', ({ other, model, region }) => {
    expect(regionOf({ other }, model)).toBe(region)
  })

  it.each(['', '{"claude-x":"global"}', '{broken', 'https://evil.example/'])(
    'is refused for %o',
    (other) => {
      expect(() => regionOf({ other }, 'gemini-2.5-pro')).toThrow('region')
    },
  )

  it.each([
    { region: 'us-central1', host: 'https://us-central1-aiplatform.googleapis.com' },
    { region: 'global', host: 'https://aiplatform.googleapis.com' },
    { region: 'eu', host: 'https://aiplatform.eu.rep.googleapis.com' },
  ])('is the host $host', ({ region, host }) => {
    expect(hostOf(region)).toBe(host)
  })

  it.each([
    { model: 'gemini-2.5-pro', family: 'google' },
    { model: 'claude-opus-4-6', family: 'anthropic' },
    { model: 'meta/llama3-405b-instruct-maas', family: 'open' },
    { model: 'deepseek-ai/deepseek-v3.2-maas', family: 'open' },
  ])('is the $family path for $model', ({ model, family }) => {
    expect(familyOf(model)).toBe(family)
  })

  it.each([
    { model: 'claude-3-5-sonnet-20241022', name: 'claude-3-5-sonnet-v2@20241022' },
    { model: 'claude-opus-4-5-20251101', name: 'claude-opus-4-5@20251101' },
    { model: 'claude-opus-4-6', name: 'claude-opus-4-6' },
    { model: 'claude-3-haiku@20240307', name: 'claude-3-haiku@20240307' },
  ])('names $model $name', ({ model, name }) => {
    expect(claudeName(model)).toBe(name)
  })
})
