import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { type Data, mayCall, type OwnToken, type Texts, toast, useOwnTokens } from '#console'

const leaveAfterMs = 1500

/** The usable tokens of the user. Without one it says so and links to where one is created. */
export function useTokens(
  t: Texts,
): Omit<Data<OwnToken[]>, 'data'> & { tokens: readonly OwnToken[] } {
  const navigate = useNavigate()
  const { data, ...rest } = useOwnTokens()
  const tokens = (data ?? []).filter(mayCall)
  const isNone = data !== undefined && tokens.length === 0
  useEffect(() => {
    if (!isNone) return
    toast.error(t('noToken'))
    const timer = window.setTimeout(() => void navigate('/token'), leaveAfterMs)
    return () => window.clearTimeout(timer)
  }, [isNone, navigate, t])
  return { tokens, ...rest }
}
