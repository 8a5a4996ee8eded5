// What people open: the first page of each list, by each single filter and by what the screens combine, sums, and what is told from memory.
import { MODELS, type Size } from './fill.ts'

/** A name and the address of a call. */
export type Ask = readonly [name: string, path: string]

const DAY_SECONDS = 86_400

/** By the super admin. */
export function asksOf(size: Size, requestId: string): readonly Ask[] {
  return [
    ...logAsks(size),
    ...requestAsks(requestId),
    ...logStats(size),
    ...channelAsks,
    ...peopleAsks(size),
    ...orderAsks,
    ...sumAsks(size),
  ]
}

/** By the busiest customer. */
export function ownAsksOf({ users }: Size): readonly Ask[] {
  const now = Math.floor(Date.now() / 1000)
  const log = listOf('own log', '/api/log/self?p=1&page_size=20')
  const stat = listOf('own log stat', '/api/log/self/stat?type=0')
  return [
    log('first page', ''),
    ...narrowings({ users, name: 'token-0' }).map(([name, query]) => log(name, query)),
    ...spans(now).map(([name, query]) => log(name, query)),
    log('a week, a model', `${spanOf(now, 7)}&model_name=model-1`),
    ['own log search', '/api/log/self/search?keyword=5'],
    stat('of all', ''),
    ...spans(now).map(([name, query]) => stat(name, query)),
    stat('a week, a model', `${spanOf(now, 7)}&model_name=model-1`),
    stat('a week, most models', `${spanOf(now, 7)}&model_name=%25model-%25`),
    stat('a week, a token', `${spanOf(now, 7)}&token_name=token-0`),
    ['tokens', '/api/token/?p=0&size=20'],
    ['tokens by word', '/api/token/search?keyword=token-99'],
    ['tokens by key', '/api/token/search?keyword=&token=sk-never'],
    ['tokens by what is left', '/api/token/?p=0&size=20&sort=remain_quota'],
    ['own tasks', '/api/task/self?p=0&page_size=20'],
    ['own drawings', '/api/mj/self?p=0&page_size=20'],
    ['own top-ups', '/api/user/topup/self?p=1&page_size=20'],
    ...ownDataAsks(now),
    ['own overview', `/api/overview/self?start=${now - DAY_SECONDS}`],
    ['own models', '/api/user/models'],
  ]
}

function ownDataAsks(now: number): readonly Ask[] {
  const data = listOf('own data', '/api/data/self?timezone_offset=0')
  return [
    data('of a day', spanOf(now, 1)),
    data('of a week by day', `${spanOf(now, 7)}&default_time=day`),
    data('of a month', spanOf(now, 29)),
    data('of a month by week', `${spanOf(now, 29)}&default_time=week`),
  ]
}

function listOf(list: string, path: string): (name: string, query: string) => Ask {
  return (name, query) => [`${list} ${name}`, `${path}${query}`]
}

/** The one that ends `days` before now, or now. */
function spanOf(now: number, days: number, daysAgo = 0): string {
  const end = now - daysAgo * DAY_SECONDS
  return `&start_timestamp=${end - days * DAY_SECONDS}&end_timestamp=${end}`
}

function spans(now: number): readonly Ask[] {
  return [
    ['a day', spanOf(now, 1)],
    ['a day, long ago', spanOf(now, 1, 20)],
    ['a week', spanOf(now, 7)],
    ['a month', spanOf(now, 30)],
    ['a day to come', spanOf(now, 1, -30)],
  ]
}

/** Filters that everybody has: often, rarely and never met. */
function narrowings({ users, name }: { users: number; name: string }): readonly Ask[] {
  return [
    ['consumption', '&type=2'],
    ['errors', '&type=5'],
    ['rare type', '&type=3'],
    ['no such type', '&type=4'],
    ['token', `&token_name=${name}`],
    ['rare token', `&token_name=token-${users - 1}`],
    ['no token', '&token_name=never'],
    ['busy model', '&model_name=model-1'],
    ['model', `&model_name=model-${MODELS - 1}`],
    ['part of a model', '&model_name=%25l-9%25'],
    ['most models', '&model_name=%25model-%25'],
    ['any model', '&model_name=%25model%25'],
    ['model never called', '&model_name=never'],
    ['part of no model', '&model_name=%25never%25'],
    ['group', '&group=vip'],
    ['default group', '&group=default'],
    ['no group', '&group=never'],
  ]
}

function logAsks({ users, channels }: Size): readonly Ask[] {
  const now = Math.floor(Date.now() / 1000)
  const log = listOf('log', '/api/log/?p=1&page_size=20')
  const week = spanOf(now, 7)
  return [
    log('first page', ''),
    ['log page 500', '/api/log/?p=500&page_size=20'],
    ['log page 500 of a week', `/api/log/?p=500&page_size=20${week}`],
    ...narrowings({ users, name: 'token-0' }).map(([name, query]) => log(name, query)),
    log('busiest user', '&username=user-0'),
    log('busy user', '&username=user-2'),
    log('rare user', `&username=user-${users - 1}`),
    log('no user', '&username=never'),
    log('busy channel', '&channel=1'),
    log('channel', `&channel=${channels}`),
    log('no channel', '&channel=99999999'),
    ...spans(now).map(([name, query]) => log(name, query)),
    log('a week, errors', `${week}&type=5`),
    log('a week, rare type', `${week}&type=3`),
    log('a week, a model', `${week}&model_name=model-${MODELS - 1}`),
    log('a week, busy model', `${week}&model_name=model-1`),
    log('a week, part of a model', `${week}&model_name=%25l-9%25`),
    log('a week, model never called', `${week}&model_name=never`),
    log('a week, a channel', `${week}&channel=${channels}`),
    log('a week, no channel', `${week}&channel=99999999`),
    log('a week, a token', `${week}&token_name=token-${users - 1}`),
    log('a week, a group', `${week}&group=vip`),
    log('a week, no group', `${week}&group=never`),
    log('a week, a user', `${week}&username=user-${users - 1}`),
    log('a week, busiest user', `${week}&username=user-0`),
    log('a week, a user and a model', `${week}&username=user-0&model_name=model-1`),
    log('a week, a channel and a model', `${week}&channel=1&model_name=model-1`),
    log('three that never met', '&username=user-0&model_name=model-1&channel=1'),
    log('a day long ago, a channel', `${spanOf(now, 1, 20)}&channel=${channels}`),
    log('a day long ago, busy channel', `${spanOf(now, 1, 20)}&channel=1`),
    log('a day long ago, busiest user', `${spanOf(now, 1, 20)}&username=user-0`),
    log('a day long ago, errors', `${spanOf(now, 1, 20)}&type=5`),
    log('model and channel', `&model_name=model-1&channel=${channels}`),
    log('model and channel, busy', '&model_name=model-1&channel=1'),
    log('model and channel, none', '&model_name=model-2&channel=1'),
    log('user and model, none', `&username=user-0&model_name=model-1999`),
    log('errors of a channel', `&type=5&channel=${channels}`),
    log('errors of the busy channel', '&type=5&channel=1'),
    log('errors of the busiest user', '&type=5&username=user-0'),
    log('errors of a model', '&type=5&model_name=model-1'),
    ['log search, no match', '/api/log/search?keyword=nothing-like-it'],
    ['log search, a beginning', '/api/log/search?keyword=status%20502'],
    ['log search, calls', '/api/log/search?keyword=model%20ratio'],
  ]
}

function requestAsks(requestId: string): readonly Ask[] {
  const never = requestId.replace(/.$/, '!')
  return [
    ['log of a request', `/api/log/?p=1&page_size=20&request_id=${requestId}`],
    ['log of no request', `/api/log/?p=1&page_size=20&request_id=${never}`],
    ['log of no id', `/api/log/?p=1&page_size=20&request_id=nonsense`],
    ['log stat of a request', `/api/log/stat?type=0&request_id=${requestId}`],
  ]
}

function logStats({ users, channels }: Size): readonly Ask[] {
  const now = Math.floor(Date.now() / 1000)
  const stat = listOf('log stat', '/api/log/stat?type=0')
  const filters: readonly Ask[] = [
    ['', ''],
    [', busiest user', '&username=user-0'],
    [', rare user', `&username=user-${users - 1}`],
    [', a channel', `&channel=${Math.ceil(channels / 2)}`],
    [', busy channel', '&channel=1'],
    [', a model', '&model_name=model-7'],
    [', busy model', '&model_name=model-1'],
    [', part of a model', '&model_name=%25l-9%25'],
    [', most models', '&model_name=%25model-%25'],
    [', model never called', '&model_name=never'],
    [', busiest token', '&token_name=token-0'],
    [', a group', '&group=vip'],
    [', no group', '&group=never'],
    [', a model and a channel', '&model_name=model-1&channel=1'],
    [', a user and a model', '&username=user-0&model_name=model-1'],
    [', a group and a model', '&group=vip&model_name=model-1'],
  ]
  return filters.flatMap(([name, query]) => [
    stat(`of all${name}`, query),
    ...spans(now)
      .slice(0, 4)
      .map(([span, times]) => stat(`of ${span}${name}`, `${times}${query}`)),
  ])
}

const channel = listOf('channels', '/api/channel/?p=0&page_size=20')
const channelAsks: readonly Ask[] = [
  channel('first page', ''),
  channel('by id', '&id_sort=true'),
  channel('by what was used', '&sort=used_quota'),
  channel('of a status', '&status=3'),
  channel('of a type', '&type=1'),
  channel('of no type', '&type=14'),
  channel('of a group', '&group=vip'),
  channel('of no group', '&group=never'),
  channel('of a tag', '&tag=tag-7'),
  channel('by word', '&keyword=channel%209'),
  channel('by no word', '&keyword=never'),
  channel('by model', '&model=model-77'),
  channel('by no model', '&model=never'),
  ['channels in tags', '/api/channel/?p=0&page_size=20&tag_mode=true'],
  ['channel tags', '/api/channel/tags'],
  ['channels, a thousand unpaged', '/api/channel/search?keyword='],
]

function peopleAsks({ users }: Size): readonly Ask[] {
  const user = listOf('users', '/api/user/search?p=1&page_size=20')
  return [
    ['users first page', '/api/user/?p=1&page_size=20'],
    user('by rare word', `&keyword=user-${users - 1}`),
    user('by frequent word', '&keyword=user'),
    user('by two letters', '&keyword=r-'),
    user('by no word', '&keyword=never'),
    user('of a group', '&keyword=&group=vip'),
    user('of no group', '&keyword=&group=never'),
    user('of a role', '&keyword=&role=10'),
    user('of customers', '&keyword=&role=1'),
    user('deleted', '&keyword=&status=deleted'),
    user('disabled', '&keyword=&status=2'),
    user('by what is left', '&keyword=&sort=quota'),
    user('by what was used', '&keyword=&sort=used_quota'),
  ]
}

const order = listOf('top-ups', '/api/user/topup?p=1&page_size=20')
const code = listOf('codes', '/api/redemption/search?p=1&page_size=20')
const task = listOf('tasks', '/api/task/?p=0&page_size=20')
const drawing = listOf('drawings', '/api/mj/?p=0&page_size=20')
const orderAsks: readonly Ask[] = [
  order('first page', ''),
  ['top-ups page 5000', '/api/user/topup?p=5000&page_size=20'],
  order('by word', '&keyword=order-999'),
  order('by customer', '&keyword=user-17'),
  order('by no word', '&keyword=never'),
  order('of a status', '&status=failed'),
  order('of no status', '&status=refunded'),
  ['codes first page', '/api/redemption/?p=1&page_size=20'],
  ['codes page 5000', '/api/redemption/?p=5000&page_size=20'],
  code('by word', '&keyword=batch%2099'),
  code('by no word', '&keyword=never'),
  code('disabled', '&keyword=&status=2'),
  code('used', '&keyword=&status=3'),
  code('expired', '&keyword=&status=expired'),
  task('first page', ''),
  ['tasks page 5000', '/api/task/?p=5000&page_size=20'],
  task('of a platform', '&platform=suno'),
  task('of an id', '&task_id=tasks-77'),
  task('of an action', '&action=UPSCALE'),
  task('of no action', '&action=NEVER'),
  task('of a status', '&status=FAILURE'),
  task('of no status', '&status=QUEUED'),
  task('of a channel', '&channel_id=77'),
  drawing('first page', ''),
  drawing('of an id', '&mj_id=drawing-77'),
  drawing('of a channel', '&channel_id=77'),
  ['history of options', '/api/option/history?p=1&page_size=20'],
]

function sumAsks({ users }: Size): readonly Ask[] {
  const now = Math.floor(Date.now() / 1000)
  const data = listOf('data', '/api/data/?')
  return [
    data('of a day', spanOf(now, 1)),
    data('of a week', spanOf(now, 7)),
    data('of a week by day', `${spanOf(now, 7)}&default_time=day&timezone_offset=0`),
    data('of a month', spanOf(now, 29)),
    data('of a month by week', `${spanOf(now, 29)}&default_time=week&timezone_offset=0`),
    data('of a year', spanOf(now, 365)),
    data('of a year by week', `${spanOf(now, 365)}&default_time=week&timezone_offset=0`),
    data('of a month, a user', `${spanOf(now, 29)}&username=user-0`),
    data('of a month, rare user', `${spanOf(now, 29)}&username=user-${users - 1}`),
    ['data of users', `/api/data/users?${spanOf(now, 7)}`],
    ['data of users, a year', `/api/data/users?${spanOf(now, 365)}`],
    ['data of users, a month', `/api/data/users?${spanOf(now, 29)}`],
    ['overview', `/api/overview?start=${now - DAY_SECONDS}`],
    ['prices', '/api/pricing'],
    ['models of the console', '/api/user/models'],
    ['live figures', '/api/live'],
  ]
}
