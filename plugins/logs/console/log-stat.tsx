import { formatCount, Quota, useData, useTexts } from '#console'

interface Stat {
  quota: number
  rpm: number
  tpm: number
}

/** What the filtered calls cost, and how busy the last minute was. */
export function LogStat({ path, filters }: { path: string; filters: Record<string, string> }) {
  const t = useTexts('logs')
  const { data } = useData<Stat>(path, { query: filters })
  return (
    <dl className="log-stat" aria-label={t('stat.label')}>
      <div>
        <dt>{t('stat.quota')}</dt>
        <dd>{data ? <Quota units={data.quota} /> : '–'}</dd>
      </div>
      <div>
        <dt>{t('stat.rpm')}</dt>
        <dd className="number" title={t('stat.live')}>
          {data ? formatCount(data.rpm) : '–'}
        </dd>
      </div>
      <div>
        <dt>{t('stat.tpm')}</dt>
        <dd className="number" title={t('stat.live')}>
          {data ? formatCount(data.tpm) : '–'}
        </dd>
      </div>
    </dl>
  )
}
