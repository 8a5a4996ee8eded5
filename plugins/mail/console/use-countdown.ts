import { useEffect, useState } from 'react'

/** Before another mail may be asked for. */
const PAUSE_SECONDS = 30

/** Seconds that are left, and what starts them. */
export function useCountdown(): [number, () => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = window.setTimeout(() => setLeft(left - 1), 1000)
    return () => window.clearTimeout(timer)
  }, [left])
  return [left, () => setLeft(PAUSE_SECONDS)]
}
