import { formatCount, Quota, useData, usePeriodWords, useTexts } from '#console'
import type { LogFilters } from './log-filters.ts'

interface Stat {
  quota: number
  rpm: number
  tpm: number
}

/** The cost of the filtered calls, and the load of the last minute. */
export function LogStat({ path, filters }: { path: string; filters: LogFilters }) {
  const t = useTexts('logs')
  const { data } = useData<Stat>(path, { query: filters })
  const period = usePeriodWords()(filters.start_timestamp, filters.end_timestamp)
  return (
    <dl className="log-stat" aria-label={t('stat.label')}>
      <div>
        <dt>{t('stat.quota')}</dt>
        <dd>{data ? <Quota units={data.quota} /> : '–'}</dd>
        <dd className="log-stat-when">{period}</dd>
      </div>
      <div>
        <dt>{t('stat.rpm')}</dt>
        <dd className="number">{data ? formatCount(data.rpm) : '–'}</dd>
        <dd className="log-stat-when">{t('stat.live')}</dd>
      </div>
      <div>
        <dt>{t('stat.tpm')}</dt>
        <dd className="number">{data ? formatCount(data.tpm) : '–'}</dd>
        <dd className="log-stat-when">{t('stat.live')}</dd>
      </div>
    </dl>
  )
}
