// What people open: the first page of each list, by each single filter, and what is told from memory.
import { MODELS, type Size } from './fill.ts'

/** A name and the address of a call by the super admin. */
export type Ask = readonly [name: string, path: string]

export function asksOf({ users, tokens, channels }: Size): readonly Ask[] {
  const now = Math.floor(Date.now() / 1000)
  const log = (name: string, query: string): Ask => [
    `log ${name}`,
    `/api/log/?p=1&page_size=20${query}`,
  ]
  const stat = (name: string, query: string): Ask => [
    `log stat ${name}`,
    `/api/log/stat?type=0${query}`,
  ]
  const rareUser = `user-${users}`
  return [
    log('first page', ''),
    log('by type', '&type=1'),
    log('by user', `&username=${rareUser}`),
    log('by busy user', '&username=user-2'),
    log('by token', `&token_name=token-${Math.min(users, tokens)}`),
    log('by no token', '&token_name=never'),
    log('by model', `&model_name=model-${MODELS - 1}`),
    log('by part of a model', '&model_name=%251-9%25'),
    log('by model never called', '&model_name=never'),
    log('by channel', `&channel=${channels}`),
    log('by no channel', '&channel=99999999'),
    log('by group', '&group=vip'),
    log('by no group', '&group=never'),
    log('by a day', `&start_timestamp=${now - 10 * 86_400}&end_timestamp=${now - 9 * 86_400}`),
    ['log search, no match', '/api/log/search?keyword=nothing-like-it'],
    stat('of all', ''),
    stat('of a week', `&start_timestamp=${now - 7 * 86_400}&end_timestamp=${now}`),
    stat('of a user', '&username=user-2'),
    stat('of a channel', `&channel=${Math.ceil(channels / 2)}`),
    stat('of a model', '&model_name=model-7'),
    ['channels', '/api/channel/?p=0&page_size=20'],
    ['channels by status', '/api/channel/?p=0&page_size=20&status=3'],
    ['channels by tag', '/api/channel/?p=0&page_size=20&tag_mode=true'],
    ['channels by word', '/api/channel/?keyword=channel%209&p=0&page_size=20'],
    ['channels by model', '/api/channel/?model=model-77&p=0&page_size=20'],
    ['channels, a thousand unpaged', '/api/channel/search?keyword='],
    ['users', '/api/user/?p=0&page_size=20'],
    ['users by word', `/api/user/search?keyword=${rareUser}`],
    ['tokens', '/api/token/?p=0&size=20'],
    ['prices', '/api/pricing'],
    ['models of the console', '/api/user/models'],
    ['overview', `/api/overview?start=${now - 86_400}&end=${now}`],
  ]
}
