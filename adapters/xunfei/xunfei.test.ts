import { describe, expect, it } from 'vitest'
import type { ChannelView } from '#core'
import { testAdapter } from '#test'
import customHost from '../../test/fixtures/signatures/xunfei-url-custom-host-port.json' with {
  type: 'json',
}
import published from '../../test/fixtures/signatures/xunfei-url-published.json' with {
  type: 'json',
}
import v21 from '../../test/fixtures/signatures/xunfei-url-v21.json' with { type: 'json' }
import xunfei from './index.ts'
import { signedUrl } from './sign-url.ts'
import { versionOf } from './version.ts'

testAdapter(xunfei, new URL('./cases/', import.meta.url))

describe('the signed address', () => {
  it.each([published, v21, customHost])('is that of $name', ({ input, expected }) => {
    const { url, apiKey, apiSecret, timestamp } = input
    const now = new Date(timestamp * 1000)
    const signed = new URL(signedUrl({ url, apiKey, apiSecret, now }))
    expect(Object.fromEntries(signed.searchParams)).toEqual(expected.query)
    expect(signed.href.split('?')[0]).toBe(url)
  })
})

describe('the API version of a call', () => {
  it.each([
    { model: 'SparkDesk', other: '', asked: '', path: '/v1.1/chat', domain: 'lite' },
    { model: 'SparkDesk', other: 'v2.1', asked: '', path: '/v2.1/chat', domain: 'generalv2' },
    {
      model: 'SparkDesk-v3.5',
      other: 'v2.1',
      asked: '',
      path: '/v3.5/chat',
      domain: 'generalv3.5',
    },
    { model: 'Spark-Lite', other: 'v2.1', asked: '', path: '/v1.1/chat', domain: 'lite' },
    { model: 'Spark-Pro-128K', other: '', asked: '', path: '/chat/pro-128k', domain: 'pro-128k' },
    { model: 'Spark-Max-32K', other: '', asked: '', path: '/chat/max-32k', domain: 'max-32k' },
    { model: 'Spark-4.0-Ultra', other: '', asked: '', path: '/v4.0/chat', domain: '4.0Ultra' },
    {
      model: 'SparkDesk',
      other: '',
      asked: 'constructor',
      path: '/constructor/chat',
      domain: 'generalconstructor',
    },
    { model: 'SparkDesk', other: 'v9', asked: '', path: '/v9/chat', domain: 'generalv9' },
    {
      model: 'SparkDesk-v3.5',
      other: 'v2.1',
      asked: 'v4.0',
      path: '/v3.5/chat',
      domain: 'generalv3.5',
    },
    { model: 'Spark-Lite', other: '', asked: 'v4.0', path: '/v1.1/chat', domain: 'lite' },
    { model: 'SparkDesk', other: 'v2.1', asked: 'v4.0', path: '/v4.0/chat', domain: '4.0Ultra' },
  ])('of $model, "$other" and "$asked" is $domain', ({ model, other, asked, path, domain }) => {
    const channel = { other } as ChannelView
    expect(versionOf({ model, channel, clientQuery: { 'api-version': asked } })).toMatchObject({
      path,
      domain,
    })
  })
})
