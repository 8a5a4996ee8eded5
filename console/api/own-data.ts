// Data that several screens read: the signed-in user's own, groups and models. The answers are shared (use-data.ts).
import { useMemo } from 'react'
import type { TokenRecord, UserRecord } from '#core'
import { tokenStatus } from '../../core/contract/constants.ts'
import { useSession } from '../stores/session.ts'
import { type Texts, useTexts } from '../texts/use-texts.ts'
import { type Data, type DataOptions, useData } from './use-data.ts'

/** Groups and models change rarely. */
const staleMs = 60_000

/** `GET /api/user/self`. Reloaded on return to the page, because a payment or an admin may have changed the balance. */
export type OwnAccount = UserRecord & { has_password: boolean }

export function useOwnAccount(options?: DataOptions): Data<OwnAccount> {
  return useData<OwnAccount>('/api/user/self', { isAskedOnReturn: true, ...options })
}

/** A row of `GET /api/token/`; its key comes without `sk-`. */
export type OwnToken = Omit<TokenRecord, 'user_id' | 'DeletedAt'>

/** The first hundred. */
export function useOwnTokens(options?: Omit<DataOptions, 'query'>): Data<OwnToken[]> {
  const tokens = useData<OwnToken[]>('/api/token/', { ...options, query: { p: 0, size: 100 } })
  const data = useMemo(
    () => tokens.data?.map((token) => ({ ...token, name: tokenNameOf(token) })),
    [tokens.data],
  )
  return { ...tokens, data }
}

/** Programs may make tokens without a name. */
export function tokenNameOf({ id, name }: Pick<OwnToken, 'id' | 'name'>): string {
  return name.trim() || `#${id}`
}

/** Whether calls with the token are accepted. The stored status changes only after a refused call, so it is not enough. */
export function mayCall(token: OwnToken): boolean {
  const { status, expired_time, unlimited_quota, remain_quota } = token
  const isOver = expired_time !== -1 && expired_time * 1000 <= Date.now()
  return status === tokenStatus.enabled && !isOver && (unlimited_quota || remain_quota > 0)
}

/** A group's description and its ratio. */
export interface GroupFacts {
  desc: string
  ratio: number
}

/** The groups that the user's calls may use, by name; for visitors, those open to everybody. */
export function useOwnGroups(options?: Omit<DataOptions, 'query'>) {
  const offered = useOffered(options)
  const t = useTexts()
  const data = useMemo(() => offered.data && groupsIn(offered.data, t), [offered.data, t])
  return { ...offered, data }
}

/** How the site describes the automatic choice of a group, which only tokens may have; undefined: it is not offered. */
export function useAutomaticGroup(): string | undefined {
  const offered = useOffered()
  return Object.values(offered.data ?? {}).find((group) => !hasRatio(group))?.desc
}

/** The automatic choice has a word in place of its ratio. */
type Offered = GroupFacts | { desc: string; ratio: string }

function useOffered(options?: Omit<DataOptions, 'query'>): Data<Record<string, Offered>> {
  const isSignedIn = useSession(({ user }) => user !== undefined)
  const path = isSignedIn ? '/api/user/self/groups' : '/api/user/groups'
  return useData<Record<string, Offered>>(path, { staleMs, ...options })
}

function groupsIn(offered: Record<string, Offered>, t: Texts): Record<string, GroupFacts> {
  return Object.fromEntries(
    Object.entries(offered).flatMap(([name, group]) =>
      hasRatio(group) ? [[name, { ...group, desc: wordsFor(group.desc, t) }]] : [],
    ),
  )
}

/** Descriptions of the gateway's own, which stand in the answer in English; those of the operator have one language. */
const shippedWords: Readonly<Record<string, string>> = {
  'Default group': 'groupWords.default',
  'VIP group': 'groupWords.vip',
  'User group': 'groupWords.own',
}

function wordsFor(desc: string, t: Texts): string {
  const key = Object.hasOwn(shippedWords, desc) ? shippedWords[desc] : undefined
  return key === undefined ? desc : t(key)
}

function hasRatio(group: Offered): group is GroupFacts {
  return typeof group.ratio === 'number'
}

/** `GET /api/user/models`: the models that the user may call, with some token or other; `group`: with a token of that group. */
export function useOwnModels({
  group,
  ...options
}: Omit<DataOptions, 'query'> & { group?: string | undefined } = {}): Data<string[]> {
  const query = group ? { group } : undefined
  return useData<string[]>('/api/user/models', { staleMs, ...options, query })
}

/** `GET /api/group/`, for admins: the names of all groups. */
export function useGroupNames(options?: Omit<DataOptions, 'query'>): Data<string[]> {
  return useData<string[]>('/api/group/', { staleMs, ...options })
}
