import { Loaded, Page, useData, useTexts } from '#console'
import type { LiveFigures } from '../schema.ts'
import { FailingChannels } from './failing-channels.tsx'
import { MinuteFigures } from './minute-figures.tsx'
import { NodeTable } from './node-table.tsx'
import './live.css'

const everyMs = 5_000

export default function LiveScreen() {
  const t = useTexts('live-figures')
  const live = useData<LiveFigures>('/api/live', { refetchEveryMs: everyMs })
  return (
    <Page title={t('title')} hint={t('hint')}>
      <Loaded from={live}>
        {({ nodes, channels }) => (
          <>
            <MinuteFigures nodes={nodes} channels={channels} />
            <FailingChannels channels={channels} />
            <NodeTable nodes={nodes} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
