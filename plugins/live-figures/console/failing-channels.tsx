import { Card, EmptyState, formatExact, formatPercent, Time, useTexts } from '#console'
import { Link } from 'react-router-dom'
import type { LiveFigures } from '../schema.ts'

type Failing = LiveFigures['channels']['failing'][number]

/** Where attempts failed in the last hour, worst first. */
export function FailingChannels({ channels }: Pick<LiveFigures, 'channels'>) {
  const t = useTexts('live-figures')
  if (channels.failing.length === 0) {
    return (
      <Card title={t('failing.title')}>
        <EmptyState title={t('failing.none')} hint={t('failing.noneHint')} />
      </Card>
    )
  }
  return (
    <Card title={t('failing.title')} isFlush>
      <div className="table-scroll" role="region" aria-label={t('failing.title')} tabIndex={0}>
        <table className="live-table">
          <thead>
            <tr>
              <th scope="col">{t('failing.channel')}</th>
              <th scope="col" className="align-right">
                {t('failing.failed')}
              </th>
              <th scope="col" className="align-right">
                {t('failing.share')}
              </th>
              <th scope="col">{t('failing.last')}</th>
            </tr>
          </thead>
          <tbody>
            {channels.failing.map((channel) => (
              <FailingRow key={channel.id} channel={channel} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function FailingRow({ channel }: { channel: Failing }) {
  const { id, name, failed, succeeded, last_error: last } = channel
  return (
    <tr>
      <th scope="row">
        <Link to={`/channel?keyword=${id}`} title={name}>
          {name}
        </Link>
      </th>
      <td className="align-right number">{formatExact(failed)}</td>
      <td className="align-right number">{formatPercent(failed / (failed + succeeded))}</td>
      <td className="live-error">
        {last ? (
          <>
            <Time seconds={last.time} /> {last.message}
          </>
        ) : null}
      </td>
    </tr>
  )
}
