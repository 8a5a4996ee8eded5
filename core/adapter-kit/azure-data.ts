// What a chat can name of the data behind a resource of Azure: search indexes and databases, which the resource asks by its own identity, and its other
// deployments, which embed the question. Whoever knows or guesses a name would read what only the operator may see. Source: learn.microsoft.com,
// "Azure OpenAI On Your Data API Reference".
import { Type } from '@sinclair/typebox'
import type { AttemptContext, Body } from '../contract/adapter.ts'
import type { OptionUi } from '../contract/options.ts'
import { unsupportedParameter } from '../dialects/neutral/request-errors.ts'

export const azureDataSettings = Type.Object({
  allow_project_data: Type.Optional(
    Type.Boolean({
      'x-ui': {
        label: { en: 'Clients may name data of the resource', zh: '允许客户端引用资源内的数据' },
        help: {
          en: 'Search indexes and databases (data_sources) that the resource of this channel can read. Only for customers who may see all of them.',
          zh: '即本渠道资源可读取的搜索索引和数据库（data_sources）。仅在客户可以查看全部这些数据时开启。',
        },
      } satisfies OptionUi,
    }),
  ),
})

/** In the spelling of today and of the first versions. */
const names = ['data_sources', 'dataSources'] as const

/** @throws request.unsupported_parameter */
export function refuseAzureData(body: Body, { channel }: Pick<AttemptContext, 'channel'>): void {
  if (channel.setting['allow_project_data'] === true) return
  const named = names.find((name) => body[name] !== undefined && body[name] !== null)
  if (named !== undefined) throw unsupportedParameter(named, 'data sources are not asked here')
}
