import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { readStored, writeStored } from '#console'

const inviteKey = 'aff'

/** An invite link (`/register?aff=code`) is remembered: the visitor may look around first. */
export function useInviteCode(): void {
  const [search] = useSearchParams()
  const code = search.get('aff')
  useEffect(() => {
    if (code) writeStored(inviteKey, code)
  }, [code])
}

export function inviteCode(): string {
  return readStored(inviteKey) ?? ''
}
