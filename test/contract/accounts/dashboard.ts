// Part 1, 4.10 and 4.11: clearing the log, and the figures of the dashboard.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { dataRow, int } from '../shapes.ts'
import type { Room } from '../table.ts'

const hour = 3600
const now = () => Math.floor(Date.now() / 1000)
const span = (seconds: number) => () => ({
  query: { start_timestamp: now() - seconds, end_timestamp: now() + hour, default_time: 'hour' },
})

export const dashboardRoom: Room = {
  subject: 'the dashboard and the log of old',
  dependsOnSql: true,
  calls: [
    {
      method: 'GET',
      path: '/api/data/',
      access: 'admin',
      answers: [
        { it: 'answers a bare array', send: span(24 * hour), data: Type.Array(dataRow) },
        {
          it: 'takes what cannot be read as not given',
          send: { query: { start_timestamp: 'NaN', end_timestamp: 'undefined', username: '' } },
          data: Type.Array(dataRow),
        },
      ],
      refuses: [
        { it: 'more than a year', send: span(400 * 24 * hour), code: 'dashboard.span_too_long' },
      ],
    },
    {
      method: 'GET',
      path: '/api/data/self',
      access: 'user',
      answers: [{ it: 'answers a bare array', send: span(24 * hour), data: Type.Array(dataRow) }],
      refuses: [
        {
          it: 'more than 2592000 seconds',
          send: { query: { start_timestamp: 1, end_timestamp: 2_592_002 } },
          code: 'dashboard.span_too_long',
          says: /30 days/,
        },
      ],
    },
    {
      method: 'DELETE',
      path: '/api/log/',
      access: 'admin',
      answers: [
        { it: 'answers how many rows went', send: { query: { target_timestamp: 1 } }, data: int },
      ],
      refuses: [
        { it: 'no time', send: {}, code: 'logs.no_target_time' },
        { it: 'time 0', send: { query: { target_timestamp: 0 } }, code: 'logs.no_target_time' },
        {
          it: 'what is no time',
          send: { query: { target_timestamp: 'NaN' } },
          code: 'logs.no_target_time',
        },
      ],
    },
  ],
  stories: [
    {
      it: 'takes a span of 2592000 seconds exactly',
      run: async ({ callers: { user } }) => {
        const end = now()
        const query = `start_timestamp=${end - 2_592_000}&end_timestamp=${end}`
        expect(await user.get(`/api/data/self/?${query}`)).toBeInstanceOf(Array)
      },
    },
  ],
}
