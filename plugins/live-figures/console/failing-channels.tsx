import {
  Card,
  Details,
  EmptyState,
  formatExact,
  formatPercent,
  TableScroll,
  Time,
  useIsPhone,
  useTexts,
} from '#console'
import { Link } from 'react-router-dom'
import type { LiveFigures } from '../schema.ts'

type Failing = LiveFigures['channels']['failing'][number]

/** The channels with failed attempts in the last hour, worst first. */
export function FailingChannels({ channels }: Pick<LiveFigures, 'channels'>) {
  const t = useTexts('live-figures')
  const isPhone = useIsPhone()
  if (channels.failing.length === 0) {
    return (
      <Card title={t('failing.title')}>
        <EmptyState title={t('failing.none')} hint={t('failing.noneHint')} />
      </Card>
    )
  }
  if (isPhone) {
    return (
      <Card title={t('failing.title')} isFlush>
        {channels.failing.map((channel) => (
          <FailingEntry key={channel.id} channel={channel} />
        ))}
      </Card>
    )
  }
  return (
    <Card title={t('failing.title')} isFlush>
      <TableScroll label={t('failing.title')}>
        <table>
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
      </TableScroll>
    </Card>
  )
}

function FailingRow({ channel }: { channel: Failing }) {
  return (
    <tr>
      <th scope="row">
        <ChannelLink channel={channel} />
      </th>
      <td className="align-right number">{formatExact(channel.failed)}</td>
      <td className="align-right number">{shareOf(channel)}</td>
      <td className="live-error">
        <LastError channel={channel} />
      </td>
    </tr>
  )
}

/** For phones, where nothing may scroll sideways. */
function FailingEntry({ channel }: { channel: Failing }) {
  const t = useTexts('live-figures')
  return (
    <section className="live-entry">
      <h3>
        <ChannelLink channel={channel} />
      </h3>
      <Details
        items={[
          { label: t('failing.failed'), value: formatExact(channel.failed) },
          { label: t('failing.share'), value: shareOf(channel) },
          {
            label: t('failing.last'),
            value: channel.last_error ? <LastError channel={channel} /> : undefined,
            isWide: true,
          },
        ]}
      />
    </section>
  )
}

function ChannelLink({ channel: { id, name } }: { channel: Failing }) {
  return (
    <Link to={`/channel?keyword=${id}`} title={name}>
      {name}
    </Link>
  )
}

function LastError({ channel: { last_error: last } }: { channel: Failing }) {
  if (!last) return null
  return (
    <>
      <Time seconds={last.time} /> {last.message}
    </>
  )
}

function shareOf({ failed, succeeded }: Failing): string {
  return formatPercent(failed / (failed + succeeded))
}
