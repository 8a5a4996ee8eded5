import { Component, type ReactNode } from 'react'
import { Card } from '../kit/page.tsx'
import { ErrorState } from '../kit/states.tsx'
import { culpritOf } from './culprit.ts'
import { faultText } from './sound-part.ts'
import { textsOf } from '../texts/use-texts.ts'

interface Props {
  /** The plugin that is named in the error. */
  owner: string
  /** The name of a failed widget; left out for a whole screen. */
  title?: string
  /** Shows the error on one line, in place of a button or a field of a form. */
  isSmall?: boolean
  children: ReactNode
}

interface State {
  fault: string | undefined
  /** Shows an error that a part of another plugin threw while it was removed. */
  culprit: string | undefined
}

/** Error messages of browsers and the bundler for a chunk that could not be loaded. The network or an upgrade is the
 *  cause, not the plugin. */
const notLoaded =
  /dynamically imported module|importing a module script failed|unable to preload css/i

/** After an upgrade, old chunks are gone until the page is loaded again. */
const reload = () => window.location.reload()

/** Replaces a part that fails with a card that names its plugin. Everything around the part stays. */
export class PluginBoundary extends Component<Props, State> {
  override state: State = { fault: undefined, culprit: undefined }

  // Anything can be thrown, undefined included.
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
          <ErrorState
            title={t('error.widgetTitle')}
            message={message}
            onRetry={isUnloaded ? reload : undefined}
          />
        </Card>
      )
    }
    return (
      <div className="page">
        <ErrorState
          title={t(isUnloaded ? 'error.unloadedTitle' : 'error.screenTitle')}
          message={message}
          onRetry={reload}
        />
      </div>
    )
  }
}
