import { createElement, type ReactNode, Suspense, useCallback, useState } from 'react'
import { toast } from '../kit/toast.ts'
import { useRegistry } from '../registry/registry.ts'
import { PluginBoundary } from '../registry/plugin-boundary.tsx'
import { componentOf } from '../registry/owned-component.ts'
import { useStatus } from '../stores/status.ts'
import { textsOf } from '../texts/use-texts.ts'

export interface BotCheckState {
  /** The widget, to be drawn in the form; nothing while no check is on. */
  element: ReactNode
  /** Runs the call with the token as its query; undefined, and a word to wait, while there is none yet. A token counts once: after a failure the
   *  widget begins anew. */
  run<T>(call: (query: { turnstile?: string }) => Promise<T>): Promise<T | undefined>
}

/** For the calls that the server guards with a bot check: login, registration, reset, sending of codes. */
export function useBotCheck(): BotCheckState {
  const status = useStatus()
  const checks = useRegistry((registry) => registry.botChecks)
  const check = checks.find((one) => status && one.isEnabled(status))
  const [token, setToken] = useState<string>()
  const [round, setRound] = useState(0)
  const run = useCallback(
    async <T,>(call: (query: { turnstile?: string }) => Promise<T>) => {
      if (check && token === undefined) {
        toast.info(textsOf()('botCheck.wait'))
        return undefined
      }
      try {
        return await call(token === undefined ? {} : { turnstile: token })
      } catch (error) {
        setToken(undefined)
        setRound((number) => number + 1)
        throw error
      }
    },
    [check, token],
  )
  if (!check) return { element: null, run }
  const element = (
    <PluginBoundary owner={check.owner} isSmall>
      <Suspense>{createElement(componentOf(check), { key: round, onToken: setToken })}</Suspense>
    </PluginBoundary>
  )
  return { element, run }
}
