import { Alert } from '@arco-design/web-react'
import { useTexts } from '#console'
import { useAdminOverview } from './use-overview.ts'

/** Disappears when the proxy is listed in TRUSTED_PROXIES. */
export default function ProxyNote() {
  const t = useTexts('overview')
  const { data } = useAdminOverview()
  if (!data?.unnamed_proxy) return null
  const words = { address: data.unnamed_proxy }
  return <Alert type="warning" title={t('proxy.title', words)} content={t('proxy.hint', words)} />
}
