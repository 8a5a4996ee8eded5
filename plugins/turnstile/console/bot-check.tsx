import { type BotCheckProps, useStatus } from '#console'
import { Widget } from './widget.tsx'

export default function BotCheck({ onToken }: BotCheckProps) {
  const status = useStatus()
  return (
    <Widget
      siteKey={(status?.['turnstile_site_key'] as string | undefined) ?? ''}
      onToken={onToken}
    />
  )
}
