import { useState } from 'react'
import { Link } from 'react-router-dom'
import {
  BaseUrl,
  CopyButton,
  serverAddressOf,
  Tabs,
  useOwnModels,
  useSession,
  useStatus,
  useTexts,
} from '#console'
import { type ExampleId, exampleOf, exampleTitles } from './examples.ts'

/** Says what this site is for, with its address and a first call to copy. */
export function Welcome() {
  const t = useTexts('home')
  const status = useStatus()
  const user = useSession((session) => session.user)
  const name = status?.system_name || 'Tollgate'
  return (
    <div className="welcome">
      <div className="welcome-words">
        <h1>{t('home.headline')}</h1>
        <p>{t('home.lead', { name })}</p>
        <div className="welcome-actions">
          <Link className="button-link is-large" to={user ? '/token' : '/login'}>
            {t(user ? 'home.tokens' : 'home.start')}
          </Link>
        </div>
        <BaseUrl />
      </div>
      <Example address={serverAddressOf(status)} />
    </div>
  )
}

function Example({ address }: { address: string }) {
  const t = useTexts('home')
  const [active, setActive] = useState<ExampleId>('curl')
  const user = useSession((session) => session.user)
  // Those of a token that is made without further choices.
  const models = useOwnModels({ isEnabled: user !== undefined, group: user?.group })
  const text = exampleOf(active, address, models.data ?? [])
  return (
    <section className="card welcome-example" aria-label={t('home.firstCall')}>
      <Tabs
        label={t('home.firstCall')}
        active={active}
        onChange={(id) => setActive(id as ExampleId)}
        items={exampleTitles.map(({ id, title }) => ({
          id,
          title,
          content: (
            <pre tabIndex={0} aria-label={title}>
              <code>{text}</code>
            </pre>
          ),
        }))}
      />
      <CopyButton text={text} label={t('home.copyExample')} />
    </section>
  )
}
