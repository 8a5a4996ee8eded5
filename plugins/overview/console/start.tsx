import { useState } from 'react'
import { Link } from 'react-router-dom'
import {
  ApiDocsLink,
  BaseUrl,
  Card,
  CopyButton,
  EmptyState,
  exampleModelOf,
  maskSecret,
  mayCall,
  type OwnToken,
  Select,
  serverAddressOf,
  Tabs,
  useOwnModels,
  useOwnTokens,
  useSession,
  useStatus,
  useTexts,
} from '#console'
import { languages, type SnippetLanguage, snippetOf } from './snippets.ts'

/** Shown while the models are loading, and where there are none yet. */
const usualModel = 'gpt-6-luna'

/** The address and a first call with a token of the user. The key is shown masked and copied in full. */
export default function Start() {
  const t = useTexts('overview')
  const tokens = useOwnTokens()
  const usable = tokens.data?.filter(mayCall) ?? []
  const lack = tokens.data?.length ? 'noUsable' : 'noToken'
  if (!tokens.data && !tokens.error) return null
  return (
    <Card title={t('start.title')} actions={<ApiDocsLink />} className="start-card">
      <BaseUrl />
      {usable.length === 0 ? (
        <EmptyState
          title={t(`start.${lack}`)}
          hint={t(`start.${lack}Hint`)}
          action={
            <Link className="button-link" to="/token">
              {t('checklist.tokenAction')}
            </Link>
          }
        />
      ) : (
        <Snippet tokens={usable} />
      )}
    </Card>
  )
}

function Snippet({ tokens }: { tokens: readonly OwnToken[] }) {
  const t = useTexts('overview')
  const status = useStatus()
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const [chosen, setChosen] = useState<number>()
  const token = tokens.find(({ id }) => id === chosen) ?? tokens[0]
  const ownGroup = useSession(({ user }) => user?.group)
  const models = useOwnModels({ group: token?.group || ownGroup })
  if (!token) return null
  const model = exampleModelOf(reachedBy(token, models.data ?? []), usualModel)
  const key = `sk-${token.key}`
  const address = serverAddressOf(status)
  const facts = { address, model, tokenName: token.name }
  return (
    <div className="snippet">
      <Select<number>
        label={t('start.token')}
        prefix={t('start.token')}
        choices={tokens.map(({ id, name }) => ({ value: id, label: name }))}
        value={token.id}
        onChange={(id) => setChosen(id)}
      />
      <div className="snippet-code">
        <Tabs
          label={t('start.language')}
          active={language}
          onChange={(id) => setLanguage(id as SnippetLanguage)}
          items={languages.map((id) => ({
            id,
            title: id,
            content: (
              <pre tabIndex={0} aria-label={id}>
                <code>{snippetOf(id, { ...facts, key: maskSecret(key) })}</code>
              </pre>
            ),
          }))}
        />
        <CopyButton
          text={snippetOf(language, { ...facts, key })}
          label={t('start.copy')}
          message={t('start.copied', { name: token.name })}
        />
      </div>
    </div>
  )
}

/** A token may be limited to some of the models of its group. */
function reachedBy({ model_limits_enabled, model_limits }: OwnToken, models: string[]): string[] {
  if (!model_limits_enabled) return models
  const limits = new Set(model_limits.split(','))
  return models.filter((name) => limits.has(name))
}
