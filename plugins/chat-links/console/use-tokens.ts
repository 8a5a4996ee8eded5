import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { type Data, mayCall, type OwnToken, type Texts, toast, useOwnTokens } from '#console'

const leaveAfterMs = 1500

/** The usable tokens of the user. Where one is needed and there is none, it says so and leads to where one is created. */
export function useTokens(
  t: Texts,
  isNeeded: boolean,
): Omit<Data<OwnToken[]>, 'data'> & { tokens: readonly OwnToken[] } {
  const navigate = useNavigate()
  const { data, ...rest } = useOwnTokens()
  const tokens = (data ?? []).filter(mayCall)
  const isNone = isNeeded && data !== undefined && tokens.length === 0
  useEffect(() => {
    if (!isNone) return
    toast.error(t('noToken'))
    const timer = window.setTimeout(() => void navigate('/token'), leaveAfterMs)
    return () => window.clearTimeout(timer)
  }, [isNone, navigate, t])
  return { tokens, ...rest }
}
