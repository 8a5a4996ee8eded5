import { Component, type ReactNode } from 'react'
import { Card } from '../kit/page.tsx'
import { ErrorState } from '../kit/states.tsx'
import { culpritOf } from './culprit.ts'
import { faultText } from './sound-part.ts'
import { textsOf } from '../texts/use-texts.ts'

interface Props {
  /** The plugin that is to blame. */
  owner: string
  /** What a failed widget would have shown; left out: a whole screen. */
  title?: string
  /** A button or a widget of a form: one line in its place. */
  isSmall?: boolean
  children: ReactNode
}

interface State {
  fault: string | undefined
  /** Of a part of another plugin, which failed while it went. */
  culprit: string | undefined
}

/** What browsers and the bundler say of a chunk that did not come: the way to the server is at fault, or an upgrade, but no plugin. */
const notLoaded =
  /dynamically imported module|importing a module script failed|unable to preload css/i

/** What fails shows a card with the plugin's name; everything around it stays. */
export class PluginBoundary extends Component<Props, State> {
  override state: State = { fault: undefined, culprit: undefined }

  // Anything can be thrown, also nothing.
  static getDerivedStateFromError(error: unknown) {
    return { fault: faultText(error), culprit: culpritOf(error) }
  }

  override render() {
    const { fault, culprit } = this.state
    if (fault === undefined) return this.props.children
    const t = textsOf()
    const { title, isSmall } = this.props
    const owner = culprit ?? this.props.owner
    const isUnloaded = notLoaded.test(fault)
    const message = isUnloaded ? t('error.unloaded') : t('error.screen', { owner, message: fault })
    if (isSmall) {
      return (
        <p className="tone-danger" role="alert">
          {message}
        </p>
      )
    }
    if (title !== undefined) {
      return (
        <Card title={title}>
          <ErrorState title={t('error.widgetTitle')} message={message} />
        </Card>
      )
    }
    return (
      <div className="page">
        <ErrorState
          title={t(isUnloaded ? 'error.unloadedTitle' : 'error.screenTitle')}
          message={message}
          // A chunk that is gone after an upgrade comes back with the new page only.
          onRetry={() => window.location.reload()}
        />
      </div>
    )
  }
}
