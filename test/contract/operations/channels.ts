// Part 2, 2.1 to 2.8 and 3: channels, their tags, and what may be written of them.
import { Type } from '@sinclair/typebox'
import { channel, int } from '../shapes.ts'
import type { Call, Refusal, Room } from '../table.ts'
import { create, formInput, input, leadTo } from './channel-bodies.ts'

let first = 0

/** Of creating and of editing alike: what is written wrongly. */
const wrongFields: readonly (Omit<Refusal, 'send'> & { change: object })[] = [
  {
    it: 'a model mapping that is no JSON (spec)',
    change: { model_mapping: '{' },
    code: 'channel.field_not_json',
  },
  {
    it: 'a status mapping that is no JSON',
    change: { status_code_mapping: '[' },
    code: 'channel.field_not_json',
  },
  {
    it: 'settings that are no JSON object',
    change: { setting: '[1]' },
    code: 'channel.field_not_json',
  },
  {
    it: 'a proxy of another scheme',
    change: { setting: '{"proxy":"ftp://x"}' },
    code: 'channel.proxy_invalid',
  },
  {
    it: 'an override that is no JSON object',
    change: { param_override: 'x' },
    code: 'channel.field_not_json',
  },
  {
    it: 'a weight below 0',
    change: { weight: -1 },
    code: 'channel.field_not_number',
    says: /weight/,
  },
  {
    it: 'a priority below -999',
    change: { priority: -1000 },
    code: 'channel.field_not_number',
    says: /priority/,
  },
  {
    it: 'a priority that is no number',
    change: { priority: 'high' },
    code: 'request.invalid_field',
    says: /priority/,
  },
  { it: 'a type that nobody serves', change: { type: 9999 }, code: 'channel.type_unknown' },
  { it: 'an address that is none', change: { base_url: 'nowhere' }, code: 'channel.url_invalid' },
  {
    it: 'a model name of 256 bytes',
    change: { models: 'm'.repeat(256) },
    code: 'channel.model_too_long',
  },
]

const needed: readonly Refusal[] = [
  {
    it: 'no name (spec)',
    send: () => ({ body: input({ name: '' }) }),
    code: 'channel.field_missing',
    says: /name/,
  },
  {
    it: 'no key (spec)',
    send: () => ({ body: input({ key: ' \n ' }) }),
    code: 'channel.field_missing',
    says: /key/,
  },
  {
    it: 'no model (spec)',
    send: () => ({ body: input({ models: ' , ' }) }),
    code: 'channel.models_missing',
  },
  ...[2, 3, 5, 8, 36, 47].map((type) => ({
    it: `type ${type} without an address`,
    send: () => ({ body: input({ type, base_url: '' }) }),
    code: 'channel.field_missing',
    says: /base_url/,
  })),
  ...[39, 49].map((type) => ({
    it: `type ${type} without other`,
    send: () => ({ body: input({ type, other: '' }) }),
    code: 'channel.field_missing',
    says: /other/,
  })),
  {
    // With an API key in place of a service account there is no region.
    it: 'type 41 with a service account and without other',
    send: () => ({ body: input({ type: 41, other: '', key: '{"type":"service_account"}' }) }),
    code: 'channel.field_missing',
    says: /other/,
  },
  {
    it: 'regions of type 41 without default',
    send: () => ({ body: input({ type: 41, key: '{}', other: '{"gemini":"us"}' }) }),
    code: 'channel.other_invalid',
  },
]

const list = Type.Array(channel)

const rows: readonly Call[] = [
  {
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    answers: [
      {
        it: 'answers a bare array, keys left out',
        send: { query: { p: 0, page_size: 10, id_sort: 'false', tag_mode: 'false' } },
        data: list,
      },
      {
        it: 'answers by tag',
        send: { query: { p: 0, tag_mode: 'true', id_sort: 'true' } },
        data: list,
      },
    ],
  },
  {
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    answers: [
      {
        it: 'answers a bare array, keys left out',
        send: {
          query: { keyword: '', group: 'null', model: '', id_sort: 'true', tag_mode: 'false' },
        },
        data: list,
      },
    ],
  },
  {
    method: 'GET',
    path: '/api/channel/{id}',
    access: 'admin',
    answers: [{ it: 'answers one row', send: () => ({ path: { id: first } }), data: channel }],
    refuses: [
      { it: 'an unknown id', send: {}, code: 'channel.not_found' },
      { it: 'an id that is no number', send: { path: { id: 'x' } }, code: 'request.invalid_field' },
    ],
  },
  {
    method: 'POST',
    path: '/api/channel/',
    access: 'admin',
    probe: { body: {} },
    answers: [
      {
        it: "takes an older console's form with its leftovers",
        send: () => ({ body: formInput() }),
        data: Type.Array(int),
      },
    ],
    refuses: [
      ...needed,
      ...wrongFields.map(({ change, ...refusal }) => ({
        ...refusal,
        send: () => ({ body: input(change) }),
      })),
    ],
  },
  {
    method: 'PUT',
    path: '/api/channel/',
    access: 'admin',
    probe: { body: { id: 999_999 } },
    answers: [
      {
        it: 'takes the whole form',
        send: () => ({ body: formInput({ id: first, key: '' }) }),
        data: channel,
      },
      { it: 'takes a status', send: () => ({ body: { id: first, status: 2 } }), data: channel },
      {
        it: 'takes a priority as text',
        send: () => ({ body: { id: first, priority: '7' } }),
        data: channel,
      },
      { it: 'takes a weight', send: () => ({ body: { id: first, weight: 3 } }), data: channel },
    ],
    refuses: [
      { it: 'an unknown id', send: { body: { id: 999_999 } }, code: 'channel.not_found' },
      {
        it: 'a missing id',
        send: { body: { status: 1 } },
        code: 'request.invalid_field',
        says: /id/,
      },
      {
        it: 'a model list of commas',
        send: () => ({ body: { id: first, models: ',' } }),
        code: 'channel.models_missing',
      },
      {
        it: 'two keys in one',
        send: () => ({ body: { id: first, key: 'a\nb' } }),
        code: 'channel.key_not_single',
      },
      ...wrongFields.map(({ change, ...refusal }) => ({
        ...refusal,
        send: () => ({ body: { id: first, ...change } }),
      })),
    ],
  },
]

const others: readonly Call[] = [
  {
    method: 'POST',
    path: '/api/channel/copy/{id}',
    access: 'admin',
    answers: [{ it: 'answers the new id', send: () => ({ path: { id: first } }), data: int }],
    refuses: [{ it: 'an unknown id', send: {}, code: 'channel.not_found' }],
  },
  {
    method: 'DELETE',
    path: '/api/channel/{id}',
    access: 'admin',
    answers: [
      { it: 'deletes', send: async (stage) => ({ path: { id: await create(stage) } }) },
      { it: 'is content when it is gone already', send: {} },
    ],
  },
  {
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    answers: [{ it: 'answers how many went', data: int }],
  },
  {
    method: 'POST',
    path: '/api/channel/batch',
    access: 'admin',
    probe: { body: { ids: [999_999] } },
    answers: [
      {
        it: 'answers how many were named',
        send: { body: { ids: [999_998, 999_999] } },
        data: Type.Literal(2),
      },
    ],
    refuses: [
      {
        it: 'an empty list',
        send: { body: { ids: [] } },
        code: 'channel.ids_missing',
        says: /[Bb]ad parameter/,
      },
      { it: 'no list', send: { body: {} }, code: 'request.invalid_field', says: /ids/ },
      {
        it: 'ids as text',
        send: { body: { ids: ['1'] } },
        code: 'request.invalid_field',
        says: /ids/,
      },
    ],
  },
  {
    method: 'POST',
    path: '/api/channel/batch/tag',
    access: 'admin',
    probe: { body: { ids: [999_999], tag: null } },
    answers: [
      {
        it: 'answers how many were named',
        send: { body: { ids: [999_999], tag: 'x' } },
        data: Type.Literal(1),
      },
    ],
    refuses: [
      { it: 'an empty list', send: { body: { ids: [], tag: 'x' } }, code: 'channel.ids_missing' },
    ],
  },
  ...['enabled', 'disabled'].map(
    (name): Call => ({
      method: 'POST',
      path: `/api/channel/tag/${name}`,
      access: 'admin',
      probe: { body: { tag: 'nobody has it' } },
      answers: [{ it: 'answers no data', send: { body: { tag: 'nobody has it' } } }],
      refuses: [{ it: 'an empty tag', send: { body: { tag: '' } }, code: 'channel.tag_missing' }],
    }),
  ),
  {
    method: 'PUT',
    path: '/api/channel/tag',
    access: 'admin',
    probe: { body: { tag: 'nobody has it' } },
    answers: [
      {
        it: 'answers no data',
        send: {
          body: {
            tag: 'nobody has it',
            new_tag: 'nor it',
            groups: '',
            models: '',
            model_mapping: '',
          },
        },
      },
    ],
    refuses: [
      { it: 'an empty tag', send: { body: { tag: '' } }, code: 'channel.tag_missing' },
      {
        it: 'a priority that is not whole (spec)',
        send: { body: { tag: 'a', priority: 1.5 } },
        code: 'request.invalid_field',
        says: /priority/,
      },
      {
        it: 'a weight below 0',
        send: { body: { tag: 'a', weight: -1 } },
        code: 'channel.field_not_number',
      },
    ],
  },
  {
    method: 'POST',
    path: '/api/channel/fix',
    access: 'admin',
    answers: [{ it: 'answers how many channels were gone through', data: int }],
  },
]

export const channelsRoom: Room = {
  subject: 'channels',
  dependsOnSql: true,
  prepare: async (stage) => {
    leadTo(stage)
    first = await create(stage, { name: 'first' })
  },
  calls: [...rows, ...others],
}
