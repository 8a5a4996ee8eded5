import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Form, Input } from '@arco-design/web-react'
import { Field } from '../kit/forms/field.tsx'
import { nameFields } from './name-fields.ts'
import { SchemaForm } from '../kit/forms/schema-form.tsx'

function show(label: string) {
  render(
    <>
      <Form id="below">
        <Field name="base_url" label="Another form" isRequired>
          <Input />
        </Field>
      </Form>
      <Form id="form-1">
        {['base_url', 'name', 'allow_ips'].map((name) => (
          <Field key={name} name={name} label={`${label} ${name.length}`} isRequired>
            <Input />
          </Field>
        ))}
      </Form>
      <SchemaForm
        schema={{
          type: 'object',
          properties: {
            Price: { type: 'number', title: 'Unit price' },
            'oidc.client_id': { type: 'string', title: '客户端 ID' },
          },
        }}
      />
    </>,
  )
}

it.each([
  ['base_url must be a URL.', { field: 'base_url' }, '“Field 8” must be a URL.'],
  ['base_url 必须是地址。', { field: 'base_url' }, '“Field 8”必须是地址。'],
  ['name：不能超过 9 个字符', { field: 'name' }, '“Field 4”：不能超过 9 个字符'],
  ['The name is taken.', { field: 'name' }, 'The name is taken.'],
  ['Changed meanwhile (allow_ips).', { field: 'allow_ips' }, 'Changed meanwhile (Field 9).'],
  ['已被修改（name）。', { field: 'name' }, '已被修改（Field 4）。'],
  ['Changed meanwhile (model_limits).', { field: 'model_limits' }, 'Changed meanwhile.'],
  ['Price is not PriceSteps', { key: 'Price', field: 'Price' }, '“Unit price” is not PriceSteps'],
  [
    '启用 oidc.enabled 之前请先设置 oidc.client_id',
    { key: 'oidc.enabled', needs: 'oidc.client_id' },
    '启用 oidc.enabled 之前请先设置“客户端 ID”',
  ],
  ['setting：name 第 1 行无效。', { field: 'setting.name' }, '“Field 4”第 1 行无效。'],
  ['weight must be a number.', { field: 'weight' }, 'weight must be a number.'],
  ['Nothing is named.', undefined, 'Nothing is named.'],
])('says of "%s" with %o: %s', (message, values, sentence) => {
  show('Field')
  expect(nameFields(message, values)).toBe(sentence)
})
