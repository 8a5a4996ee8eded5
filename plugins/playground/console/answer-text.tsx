import { isValidElement, memo, type ReactElement, type ReactNode } from 'react'
import ReactMarkdown, { type Components, defaultUrlTransform, type Options } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { blocksOf } from './blocks.ts'
import { CodeBlock } from './code-block.tsx'
import { Formula } from './formula.tsx'
import { withFormulas } from './formulas.ts'
import { isPicture } from './message.ts'
import { Picture } from './picture.tsx'

/** An answer as Markdown. */
export function AnswerText({ text }: { text: string }) {
  return (
    <div className="rich-text answer-text">
      {blocksOf(text).map((block, at) => (
        // Blocks are only appended, so the index is a stable key.
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={at} text={block} />
      ))}
    </div>
  )
}

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      components={components}
      urlTransform={urlOf}
    >
      {withFormulas(text)}
    </ReactMarkdown>
  )
})

const schema: typeof defaultSchema = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, src: ['https', 'http', 'data'] },
}
const remarkPlugins: Options['remarkPlugins'] = [
  remarkGfm,
  // `withFormulas` decides what a single dollar is.
  [remarkMath, { singleDollarTextMath: false }],
]
const rehypePlugins = [[rehypeSanitize, schema]] as [[typeof rehypeSanitize, typeof schema]]

function urlOf(url: string, key: string): string {
  return key === 'src' && isPicture(url) ? url : defaultUrlTransform(url)
}

const components: Components = {
  a: ({ href, title, children }) => (
    <a href={href} title={title} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
  code: ({ className, children }) =>
    className === formulaClass && typeof children === 'string' ? (
      <Formula text={children} />
    ) : (
      <code>{children}</code>
    ),
  pre: ({ children }) => <Preformatted {...codeOf(children)} />,
  img: ({ src = '', alt }) => <Picture key={src} address={src} alt={alt} />,
  table: ({ children }) => (
    <div className="answer-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
}

/** The class that the parser gives to formulas. */
const formulaClass = 'language-math'

function Preformatted({ code, language }: Code) {
  if (language === 'math') return <Formula text={code} isDisplay />
  return <CodeBlock code={code} language={language} />
}

interface Code {
  code: string
  language: string
}

function codeOf(children: ReactNode): Code {
  const element = isValidElement(children)
    ? (children as ReactElement<{ className?: string; children?: ReactNode }>)
    : undefined
  const { className = '', children: text } = element?.props ?? {}
  const language = /language-([\w+#.-]+)/.exec(className)?.[1] ?? ''
  return { code: typeof text === 'string' ? text.replace(/\n$/, '') : '', language }
}
