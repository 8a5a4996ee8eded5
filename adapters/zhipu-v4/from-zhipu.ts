import { UpstreamError, type Body } from '#core'
import { editList } from '#adapter-kit'

/** Zhipu's own finish reasons, the same in answers and chunks; `sensitive` is known to core.
 *  @throws UpstreamError for a model that broke off */
export function fromZhipu(body: Body): Body {
  return editList(body, 'choices', (choice) => {
    switch (choice.finish_reason) {
      case 'network_error':
        throw new UpstreamError(
          {
            status: 200,
            message: 'The model broke off with a network error.',
            code: 'network_error',
            isKnownShape: true,
          },
          'upstream',
        )
      case 'model_context_window_exceeded':
        return { ...choice, finish_reason: 'length' }
      default:
        return choice
    }
  })
}
