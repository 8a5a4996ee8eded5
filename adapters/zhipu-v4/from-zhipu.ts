import { UpstreamError, type AttemptContext, type Body } from '#core'
import { editList, toldSearches } from '#adapter-kit'

/** Zhipu charges a search of its tool `web_search` and tells of it by the pages alone (docs.bigmodel.cn, "Chat completions"). */
const searches = toldSearches(
  ({ web_search: pages }) => (Array.isArray(pages) && pages.length > 0 ? 1 : 0),
  1,
)

/** @throws UpstreamError for a model that broke off */
export function fromZhipu(body: Body): Body {
  return searches.answer(withKnownReasons(body))
}

/** @throws UpstreamError for a model that broke off */
export function fromZhipuStream(chunk: Body, context: AttemptContext): Body {
  return searches.chunk(withKnownReasons(chunk), context)
}

/** Zhipu's own finish reasons, the same in answers and chunks; `sensitive` is known to core. */
function withKnownReasons(body: Body): Body {
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
