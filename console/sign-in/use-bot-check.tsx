import { createElement, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { toast } from '../kit/toast.ts'
import { useRegistry } from '../registry/registry.ts'
import { PluginBoundary } from '../registry/plugin-boundary.tsx'
import { componentOf } from '../registry/owned-component.ts'
import { useStatus } from '../stores/status.ts'
import { textsOf } from '../texts/use-texts.ts'

/** A widget that has not shown anything by then is broken: the call goes without a token, and the server says what it thinks of that. It lets a
 *  browser in that an admin is known in. */
const PATIENCE_MS = 10_000

/** A token, and whose it is. */
type BotCheckQuery = { turnstile?: string; bot_check?: string }

export interface BotCheckState {
  /** The widget, to be drawn in the form; nothing while no check is on. */
  element: ReactNode
  /** Runs the call with the token as its query; undefined, and a word to wait, while there is none yet. A token counts once: after a failure the
   *  widget begins anew. */
  run<T>(call: (query: BotCheckQuery) => Promise<T>): Promise<T | undefined>
}

/** For the calls that the server guards with a bot check: login, registration, reset, sending of codes. */
export function useBotCheck(): BotCheckState {
  const status = useStatus()
  const checks = useRegistry((registry) => registry.botChecks)
  const check = checks.find((one) => status && one.isEnabled(status))
  const [token, setToken] = useState<string>()
  const [round, setRound] = useState(0)
  const isLate = useLate(check !== undefined && token === undefined)
  const run = useCallback(
    async <T,>(call: (query: BotCheckQuery) => Promise<T>) => {
      if (check && token === undefined && !isLate) {
        toast.info(textsOf()('botCheck.wait'))
        return undefined
      }
      try {
        return await call(check && token !== undefined ? queryOf(check.id, token) : {})
      } catch (error) {
        setToken(undefined)
        setRound((number) => number + 1)
        throw error
      }
    },
    [check, token, isLate],
  )
  if (!check) return { element: null, run }
  const element = (
    <PluginBoundary owner={check.owner} isSmall>
      <Suspense>{createElement(componentOf(check), { key: round, onToken: setToken })}</Suspense>
    </PluginBoundary>
  )
  return { element, run }
}

function queryOf(id: string, token: string): BotCheckQuery {
  return { turnstile: token, bot_check: id }
}

/** Whether something was waited for too long. */
function useLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isWaiting])
  return isLate
}
