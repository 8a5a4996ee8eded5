// The models that draw pictures for a call beside its own: those of the tools `image_generation`, and those that write what was drawn as SVG.
import type { FormPart } from '../../contract/http-client.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'

/** What the tool `image_generation` draws with unless the request names a model (API reference, Responses, `tools`). */
const usualDrawingModel = 'gpt-image-2.6-sunburst'

/** A model that works for a call beside its own. */
export interface BesideModel {
  readonly name: string
  /** Where the request names it; undefined if it leaves the choice to the provider. */
  readonly field: string | undefined
}

export type NamedModel = BesideModel & { readonly field: string }

/** The models of the tools that draw pictures, each once. */
export function drawingModelsOf(body: JsonObject | undefined): readonly BesideModel[] {
  return once(
    drawingTools(body).map(
      ({ tool, field }) =>
        namedIn(tool, `${field}.model`) ?? { name: usualDrawingModel, field: undefined },
    ),
  )
}

/** The models that the request names as authors of SVG, each once (API reference: `svg.model` of the Images API and of `image_generation`). */
export function svgAuthorsOf(call: {
  readonly body: JsonObject | undefined
  readonly form?: readonly FormPart[] | undefined
}): readonly NamedModel[] {
  const tools = drawingTools(call.body)
  if (tools.length === 0 && call.body?.['svg'] === undefined && !call.form) return none
  const inForm = call.form?.find(({ name }) => name === 'svg[model]')
  const authors = [
    inForm && 'value' in inForm ? { name: inForm.value, field: inForm.name } : undefined,
    namedIn(call.body?.['svg'], 'svg.model'),
    ...tools.map(({ tool, field }) => namedIn(tool['svg'], `${field}.svg.model`)),
  ]
  return once(authors.filter((author) => author !== undefined))
}

const none: readonly never[] = []

interface DrawingTool {
  readonly tool: JsonObject
  readonly field: string
}

export function toolsBesideDrawing(body: JsonObject | undefined): readonly unknown[] {
  const tools: unknown = body?.['tools']
  return Array.isArray(tools) ? tools.filter((tool) => !isDrawing(tool)) : none
}

function isDrawing(tool: unknown): tool is JsonObject {
  return isObject(tool) && tool['type'] === 'image_generation'
}

function drawingTools(body: JsonObject | undefined): readonly DrawingTool[] {
  const tools: unknown = body?.['tools']
  if (!Array.isArray(tools)) return none
  let found: DrawingTool[] | undefined
  for (const [place, tool] of tools.entries()) {
    if (isDrawing(tool)) (found ??= []).push({ tool, field: `tools[${place}]` })
  }
  return found ?? none
}

function namedIn(holder: unknown, field: string): NamedModel | undefined {
  const name = isObject(holder) ? holder['model'] : undefined
  return typeof name === 'string' && name !== '' ? { name, field } : undefined
}

function once<Model extends BesideModel>(models: readonly Model[]): readonly Model[] {
  return models.length < 2 ? models : [...new Map(models.map((one) => [one.name, one])).values()]
}
