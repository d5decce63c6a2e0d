//! Programs from a seed. In forms, `E` is an expression that makes a call, `N` and `M` are new names, and `@` is the
//! number of a call.

/// Makes programs.
pub(crate) struct Generator {
    state: u64,
    /// The number of the next call.
    next: u32,
    names: u32,
}

/// What a language writes.
struct Forms {
    /// What stands before all else.
    head: &'static str,
    calls: &'static [&'static str],
    expressions: &'static [&'static str],
    statements: &'static [&'static str],
    /// What stands between statements.
    others: &'static [&'static str],
}

/// The number of a call, which no other number is as long as.
pub(crate) fn number_in(text: &str) -> Option<String> {
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.filter(|digits| digits.len() == 4).map(str::to_owned).next()
}

const PYTHON: Forms = Forms {
    head: "import os, os as o\nfrom os import system, system as s_system\n",
    calls: &[
        "os.system(\"alpha @\")",
        "os.system('alpha @')",
        "o.system(\"alpha @\")",
        "system(\"alpha @\")",
        "s_system('alpha @',)",
        "os . system ( \"alpha @\" )",
        "os.system(\"alpha\" \" @\")",
        "os.system(\"\"\"alpha @\"\"\")",
        "os.system(r\"alpha @\")",
        "os.system(\"al\\x70ha @\")",
        "os.system(\"alpha %s\" % \"@\")",
        "os.system(\"alpha \" + str(@))",
        "os.system(f\"alpha {@}\")",
        "os.system(\"alpha {}\".format(@))",
        "os.system((\"alpha @\"))",
        "os.system(*[\"alpha @\"])",
        "os.system(command=\"alpha @\")",
        "os.system(\n    \"alpha @\",  # a note (\n)",
        "(os.system)(\"alpha @\")",
        "os.system(\" \".join([\"alpha\", \"@\"]))",
    ],
    expressions: &[
        "[E, 1]", "(E, 2)", "{E}", "{\"k\": E}", "{E: 1}", "f(E)", "f(k=E)", "f(1, *[E])", "f(**{\"k\": E})", "-E", "not E",
        "E + 1", "1 + E", "E if E else 0", "E or 1", "1 < E", "x[E]", "x[E:]", "x[1:E:2]", "x[E, 1]", "(N := E)", "E.real",
        "str(E).strip()[0]", "(lambda q=E: q)", "[z for z in [E]]", "{z: 1 for z in (E,)}", "list(z for z in [E])", "(E)",
        "(\n    E\n)", "E in [1]", "E is None", "E is not None", "1 not in [E]", "x @ E", "~E", "E ** 2", "\"%s\" % E",
        "print(E, sep=\"\", end=\"\")", "[*[E]]", "{**{\"a\": E}}", "{*[E]}", "E // 2", "E >> 1", "(E,)[0]", "[[E], [E]]",
        "[\n    E,\n\n    # a note\n    E,\n]", "f(E)(E)", "f(E).g(E)[E]", "...  if E else ...", "f(lambda: 0, E)",
        "f(lambda a, *b, c=1, **d: (a, b), E)", "{\"a\": 1, \"b\": E, **y}", "f'''{E}'''", "f\"{E}\"", "f\"{E!r:>10}\"",
        "f\"a{{b}}{E}c\"", "f(x, y=1, *z, **w)[E]", "(yield_ := E)", "\"a\" \"b\" + str(E)", "b\"x\"[E]", "1_000 + E",
        "1e5 + E", "0x1f + E", "1j + E", "x if (E) else y", "(E) if x else (E)", "not (E and x)", "x[::-1][E]",
        "f(*a, E, *b, k=E, **c)", "E == E == E", "[E for z in y]", "{E: E for z in y if E}", "f(E for z in y)", "x and E", "x or E", "(E if x else E)", "(lambda: E)()", "(lambda a, b=1: E)(1)", "[(E, z) for z in y for w in z if w]", "f(lambda a: E)", "(x, *[E])", "{(1, 2): E}", "{x: E, y: E}", "{x.y: E}", "{-1: E}", "{f(x): E}",
    ],
    statements: &[
        "E", "N = E", "N: int = E", "N: list[dict[str, int]] = E", "N += E", "N = M = E", "N, M = E, 1", "N, *M = [E]",
        "x[E] = 1", "x.y = E", "x[1], N = E, 2", "(N, M) = (E, E)", "[N, M] = E, E", "assert E", "if E:\n    pass", "while E:\n    break",
        "for N in [E]:\n    pass", "for N, M in [E]:\n    pass\nelse:\n    pass", "with f(E) as N:\n    E",
        "with (f(E) as N, f(E)):\n    pass", "with f(E), f(E) as M: pass", "try:\n    E\nexcept E_:\n    pass",
        "try:\n    E\nexcept (A_, B_) as N:\n    pass\nelse:\n    pass\nfinally:\n    E", "class N(f(E), k=E):\n    M = E",
        "class N:\n    \"\"\"A note.\"\"\"\n    M: int = E\n\n    def g(self, p=E):\n        return 1\n\n    E",
        "def N(p=E, *a, q=E, **k) -> None:\n    return 1", "def N(\n    p=E,\n    q: int = E,\n):\n    return 1",
        "@f(E)\ndef N():\n    pass", "@f(E)\nclass N:\n    pass", "@f\n@g(E)\nasync def N(a): return a", "match E:\n    case 1:\n        pass\n    case _:\n        pass",
        "E; E", "N = 1; E", "N = [\n    E,\n    E,\n]", "print(E); N = E", "if x: pass\nE", "if x:\n    pass\nelif y:\n    pass\nelse:\n    pass\nE",
        "N = lambda: 0; E", "N = x if E else y", "N = \\\n    E", "del x[E]", "N = (\n    E\n    + 1\n)", "N = {\n    \"a\": E,\n    \"b\": [E],\n}",
        "f(\n    E,\n    k=E,\n)", "try:\n    pass\nfinally:\n    E", "with f():\n    with g(E):\n        E", "global N; E", "raise_ = E", "N = yield_ = E",
        "N = E if x else y\nE", "print(\"a\", E)", "N = not E", "async_ = E", "match = E", "case = E; E", "type = E", "N = match[E]", "print_ = E # a note",
        "if (N := E): pass", "while x and y: break\nE", "for N in x: pass\nE", "N = \"\"\"a\nb\"\"\"; E", "N = '''it's'''; E", "x.y.z[E].w = E", "N = x.y = E", "N -= E", "x[E] += 1", "N |= E",
        "if x:\n    E\nelif y:\n    E\nelse:\n    E", "if x: E\nelse: E", "for N in x:\n    if N: continue\n    E\nelse:\n    E", "while x:\n    E\n    if y:\n        break\n    E", "try:\n    pass\nexcept E_ as N:\n    E\nelse:\n    E",
        "def N(a, b=1):\n    E\n    return E\nN(1)", "def N(\n    a,\n    b: int = 1,\n) -> int:\n    if a:\n        E\n    return E\nN(1)", "def N(*a, **k): return E\nN()", "class N:\n    def __init__(self, a):\n        E\n    def g(self):\n        E\nN(1).g()",
        "class N:\n    @staticmethod\n    def g():\n        E\nN.g()", "def N():\n    def M():\n        E\n    M()\nN()", "def N():\n    yield E\nfor M in N(): pass", "N = lambda a: E\nN(1)", "match x:\n    case 1 | 2:\n        E\n    case {\"a\": M}:\n        E\n    case [1, *_]: E\n    case _ if E:\n        E", "if x:\n    for N in y:\n        with f(N) as M:\n            try:\n                E\n            finally:\n                E", "assert x, E", "async def N():\n    await f(E)\n    async with g(E) as M:\n        E\n    async for i in f(E):\n        E\nasyncio.run(N())", "if __name__ == \"__main__\":\n    E", "raise f(E)",
    ],
    others: &[
        "# a note: (\n", "\n", "def g(a,\n      b):\n    return 1\n", "def h[T](x: T) -> T:\n    return x\n", "type X = int\n",
        "\"\"\"A note: os.system(\"\n\"\"\"\n", "if x:\n    y = 1\n    # a note\n  # another\n    z = 1\n", "import a, b as c\n", "from . import d\n",
        "from e import (\n    i,  # a note\n    j as k,\n)\n", "class A:\n\n    def m(self):\n\n        return 1\n\n    @property\n    def n(self): return 2\n",
        "def l(a=1, /, b=2, *, c): return a\n", "y = 'it\\'s'\n", "try: pass\nexcept* A_: pass\n", "global_ = {}\n", "async def p():\n    async with f() as g: pass\n    async for i in x: pass\n",
        "if True:\n\tpass\n", "lambda: (yield)\n", "print('''\n)\n''')\n", "assert x, 'y'\n", "def q(): ...\n", "nonlocal_ = 1\n", "@f\n\ndef r(): pass\n",
    ],
};

const JAVASCRIPT: Forms = Forms {
    head: "import { execSync, execSync as s_execSync } from 'child_process';\nimport * as cp from 'node:child_process';\n",
    calls: &[
        "execSync(\"alpha @\")",
        "execSync('alpha @')",
        "cp.execSync('alpha @')",
        "s_execSync(\"alpha @\",)",
        "cp . execSync ( \"alpha @\" )",
        "cp\n    .execSync('alpha @')",
        "execSync(`alpha @`)",
        "execSync(`alpha ${@}`)",
        "execSync(\"alpha \" + @)",
        "execSync(\"alpha\" + \" @\")",
        "execSync(\"al\\x70ha @\")",
        "execSync(...[\"alpha @\"])",
        "execSync(\n    'alpha @', // a note (\n)",
        "execSync('alpha @', { stdio: 'inherit' })",
        "execSync(['alpha', '@'].join(' '))",
        "(execSync)('alpha @')",
        "cp['execSync']('alpha @')",
        "execSync((\"alpha @\"))",
    ],
    expressions: &[
        "[E, 1]", "({ k: E })", "({ [E]: 1 })", "f(E)", "f(...[E])", "!E", "typeof E", "void E", "E + 1", "1 + E", "E ? 1 : 2",
        "E || 1", "E ?? 1", "E && 1", "`${E}`", "`a${f(`b${E}`)}c`", "x[E]", "(E, 1)", "new F(E)", "E.toString().length",
        "/a[/]b/.test(E)", "E / 2 / 3", "(N = E)", "(() => 1)(E)", "(function () { return 1 })(E)", "E instanceof F", "1 in { a: E }",
        "f(a => a, E)", "f((a, b = 1, ...c) => { return a }, E)", "f(async () => { await 1 }, E)", "({ m() { return 1 }, k: E })",
        "({ get a() { return 1 }, k: E })", "({ ...{ a: E } })", "[...[E]]", "E === 1", "1 > E", "({ a: 1, b: E }).b", "f(E)(E)",
        "f(E).g(E)[E]", "(\n    E\n)", "[\n    E,\n    // a note (\n    E,\n]", "({\n    a: E,\n    b: [E],\n})", "(E)", "- E", "+E", "~E",
        "tag`a${E}b`", "new F(E).g(E)", "new (f(E))()", "x = E", "f(x = E)", "(E) ? (1) : (2)", "x ? y : f(1), E", "({ a, b, c: E })",
        "({ 'a-b': E, 1: E })", "({ async m() { }, *g() { }, k: E })", "f(/[)]/, E)", "f('\\'', E)", "f(\"}\", E)", "f(`}`, E)", "E\n    .toString()", "f(function g() { }, E)", "f(class { m() { } }, E)",
        "f(class extends F { static a = 1 }, E)", "f({ a: [{ b: E }] })", "E === E", "(E) + (E)", "f(x => x + 1, E)", "f(x => ({ a: x }), E)", "[, E]", "f(x ? y : z, E)", "(() => E)()", "(() => { E })()", "(function () { return E })()", "x && E", "x || E", "x ?? E", "(x ? E : E)", "f(() => E)", "f(a => { E })", "x?.y(E)", "x?.[E]", "[1].map(a => E)", "f(function (a) { return E })", "(async () => { await E })()", "f(typeof x, E)", "f(!x, E)", "delete x[E]", "x[y][E]",
    ],
    statements: &[
        "E;", "E", "const N = E;", "let N = 1, M = E", "var N = E, M", "const [N] = [E]", "const { a: N } = { a: E }", "const { a: N, ...M } = E", "x = E;", "x.y = E",
        "x[E] = 1", "[x, y] = [E, E];", "({ x, y } = { x: E });", "if (E) { }", "if (E) x; else y", "if (x) { } else { }\nE", "if (x) y\nE", "for (const N of [E]) { }", "for (let N = E; N < 1; N++) { }",
        "for (const N in { a: E }) x", "while (E) break", "switch (E) { case 1: break; default: }", "try { E } catch { } finally { E }",
        "try {\n    E\n} catch (N) {\n    x\n}", "N: E", "{ E }", "{\n    E\n    E;\n}", "class N extends f(E) { static x = E; static { E } }",
        "class N {\n    static x = E\n    static y = E;\n    #z = 1\n    m() { return 1 }\n    static async *g() { }\n    get a() { return 1 }\n}\nE", "export const N = E",
        "function N(p = 1) { return 1 }\nE", "async function N() { await 1 }\nE", "const N = () => 1\nE", "const N = () => { return 1 }\nE", "const N = function () { }\nE", "E, E", "N = E ? 1 : 2\nE",
        "const N = x\n    ? y\n    : E_\nE", "const N = f\n    .g(E)\n    .h(E)", "const N = {\n    a: E,\n    m() { },\n    b: E,\n}", "let N\nE", "var N; E", "do { } while (x)\nE", "do x; while (x) E", "do { E } while (x)", "x++\nE", "x--; E", "f(E); f(E)",
        "if (x) return_ = 1\nelse y = 1\nE", "const N = `a\n${E}\nb`", "x += E", "x ||= y\nE", "const N = async (a) => { await a }\nE", "const N = a => b => a\nE", "export default E", "const N = [1, 2]\n    .map(x => x)\nE", "const N = x || y\nE",
        "const N = E\n    + 1", "const N =\n    E", "const N = x /* a note ( */ + E", "throw_(E)", "const N = new F(E)", "const N = await E", "await f(E)", "new F(E)", "const { N, M = 1 } = E", "const N = class { }\nE", "label: for (const N of x) { continue label }\nE", "debugger\nE", "if (E) { } else if (x) { } else { }",
        "switch (x) {\n    case 1: {\n        break\n    }\n    default:\n        y\n}\nE", "for (; ;) { break }\nE", "for (const [N, M] of x) { }\nE", "for (const { N } of x) y\nE", "while (x) { break }\nE", "import('./a').then(x => x)\nE", "if (!x) { }\nE", "const N = /[/]'\"`/g; E", "x = y / 2; E; x = y / 2",
        "if (x) E; else E", "if (x) {\n    E\n} else if (y) {\n    E\n} else {\n    E\n}", "for (const N of x) {\n    if (N) continue\n    E\n}", "while (x) {\n    E\n    if (y) break\n    E\n}", "do {\n    E\n} while (x)", "for (let N = 0; N < E; N++) E", "try { x } catch (N) { E }", "try { x } catch { E } finally { E }",
        "function N(a, b = 1) {\n    E\n    return E\n}\nN(1)", "N()\nfunction N() { E }", "const N = () => E\nN()", "const N = (a, { b, c = 1 }) => {\n    if (a) { E }\n    return E\n}\nN(1, {})", "const N = function () { E }\nN()", "async function N() { await E }\nawait N()", "class N {\n    constructor(a) { E }\n    m() { E }\n}\nnew N(1).m()", "class N {\n    static m() { E }\n}\nN.m()",
        "const N = {\n    m() { E },\n    k: () => E,\n    async n() { E },\n}\nN.m()\nN.k()\nN.n()", "switch (x) {\n    case 1:\n        E\n        break\n    case 2: { E }\n    default:\n        E\n}", "switch (x) { case E: E; break; default: E }", "const { N = E } = {}", "x ||= E", "x ??= E", "function N(a = E) { }\nN()", "class N { x = E }\nnew N()", "class N { get g() { return E } }\nnew N().g", "[1].forEach((N) => {\n    E\n})", "setTimeout(() => { E }, 1)", "throw f(E)", "f(E).then((N) => E).catch(() => E)", "if (x) for (const N of y) { E }", "label: while (x) { E; break label }",
    ],
    others: &[
        "// a note (\n", "/* execSync( */\n", "\n", "import a, { b as c } from 'd'\n", "import 'e'\n", "import * as i from 'j'\n", "export { x as k }\n", "export * from 'l'\n",
        "function g(a, { b, c: [d] } = {}, ...e) { if (a) { return 1 } return 2 }\n", "class A extends B { constructor() { super() } async m(a) { for (const b of a) { } } }\n", "const x1 = { a() { }, async b() { }, get c() { return 1 }, ['d']: 1 }\n", "var re = /(['\"])/, q = \"it's\"\n", "x ? y : z\n", ";\n",
        "const h = (a) => (b) => ({ a, b })\n", "if (x) { y } else if (z) { }\n", "async () => { for await (const x of y) { } }\n", "const t = `a${`b${x}`}c`\n", "x = { 'a': 1, \"b\": 2, c, }\n", "let z1 = y ?? x?.z?.[0]?.(1)\n", "function* gen() { yield 1; yield* x }\n", "export function ex() { return x }\n", "export class Ex { }\n",
    ],
};

/// What only TypeScript writes besides.
const TYPESCRIPT_EXPRESSIONS: &[&str] = &[
    "(E as any)", "f<string>(E)", "E!", "(E satisfies string)", "f((a: string, b?: number): void => { }, E)", "(E as unknown as string[])", "new Map<string, number[]>(E)", "f(E as const)", "x!.y(E)", "f<Array<{ a: string }>>(E)",
    "({ m(a: string): void { }, k: E })", "f(<T,>(x: T): T => x, E)", "f(async (a: string): Promise<void> => { }, E)",
];
const TYPESCRIPT_STATEMENTS: &[&str] = &[
    "const N: string = E", "const N: Array<{ a: string }> = [E]", "let N: Record<string, (a: number) => void> = f(E)", "const N: string | null = E", "const N: { a: string; b?: number } = f(E)",
    "class N<T extends F> extends G<T> implements I { static x: string = E; private readonly y?: number; constructor(private a: string) { super() } m<U>(a: U): U { return a } }",
    "enum N { A = 1, B = 'b' }\nE", "function N<T>(x: T, y?: string): x is T { return true }\nE", "const N = E as string", "const N = <T,>(x: T): T => x\nE", "export const N: string = E", "let N!: string\nE", "const { a: N }: { a: string } = { a: E }", "for (const N of E as string[]) { }",
    "abstract class N { abstract m(): void; protected static x = E }", "const N = E!", "const N: () => void = () => { }\nE", "declare const N: number\nE", "const N: [string, number] = [E, 1]", "const N: typeof x = E", "const N: keyof T = E", "const N: T['a'] = E",
];
const TYPESCRIPT_OTHERS: &[&str] = &[
    "interface I { a: string; b(c: number): void; [k: string]: unknown }\n", "type T<U> = { a: U } | null\n", "declare const z2: number\n", "import type { Ty } from 'ty'\n", "export type Ex2 = string\n", "type Fn = (a: string) => void\n", "namespace Na { export const a = 1 }\n", "declare module 'mo' { export const a: string }\n", "interface J extends I { c: () => void }\n",
    "type Long =\n    | 'a'\n    | 'b'\n", "declare function df(a: string): void\n", "export enum En { A, B }\n", "type Cond<T> = T extends string ? 'a' : 'b'\n", "abstract class Ab { abstract get x(): string }\n", "function over(a: string): void\nfunction over(a: any) { }\n",
];

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        let mut generator = Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, next: 1000, names: 0 };
        generator.below(2);
        generator
    }

    /// xorshift64*
    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let next = self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16;
        usize::try_from(next % u64::try_from(limit).unwrap()).unwrap()
    }

    fn one_of(&mut self, lists: &[&'static [&'static str]]) -> &'static str {
        let all = lists.iter().map(|list| list.len()).sum();
        let mut at = self.below(all);
        for list in lists {
            match list.get(at) {
                Some(form) => return form,
                None => at -= list.len(),
            }
        }
        ""
    }

    /// A form with calls and names in the place of its letters. What stands in an expression inside a string has other quotes
    /// and no line breaks.
    fn filled(&mut self, form: &str, forms: &Forms, more: &[&'static str], depth: usize) -> String {
        let mut text = String::new();
        self.names += 1;
        let own = self.names;
        let letters: Vec<char> = form.chars().collect();
        let is_word = |at: usize| letters.get(at).is_some_and(|c| c.is_alphanumeric() || *c == '_');
        for (at, &c) in letters.iter().enumerate() {
            let alone = !is_word(at + 1) && (at == 0 || !is_word(at - 1));
            match c {
                'E' if alone => {
                    let inside = form.starts_with("f\"") || form.starts_with("f'") || form.contains('`');
                    text.push_str(&self.expression(forms, more, depth + 1 + usize::from(inside), inside));
                }
                'N' | 'M' if alone => {
                    text.push(c.to_ascii_lowercase());
                    text.push_str(&own.to_string());
                }
                c => text.push(c),
            }
        }
        text
    }

    fn expression(&mut self, forms: &Forms, more: &[&'static str], depth: usize, inside: bool) -> String {
        if depth < 4 && self.below(100) < 45 && !inside {
            let form = if more.is_empty() || self.below(4) > 0 {
                self.one_of(&[forms.expressions])
            } else {
                more[self.below(more.len())]
            };
            return self.filled(form, forms, more, depth);
        }
        let plain = |form: &&&str| !inside || !form.contains(['"', '\n', '`', '{', '\\']);
        let calls: Vec<&&str> = forms.calls.iter().filter(plain).collect();
        let call = calls[self.below(calls.len())];
        self.next += 1;
        call.replace('@', &self.next.to_string())
    }

    /// Statements, of which the first one belongs before all others.
    fn program(&mut self, forms: &Forms, more: [&'static [&'static str]; 3]) -> Vec<String> {
        let mut parts = vec![forms.head.to_owned()];
        let mut has_default = false;
        for _ in 0..2 + self.below(5) {
            if self.below(100) < 40 {
                parts.push(self.one_of(&[forms.others, more[2]]).to_owned());
            }
            let form = self.one_of(&[forms.statements, more[1]]);
            // Only one thing can be the default.
            if form.contains("export default") && std::mem::replace(&mut has_default, true) {
                continue;
            }
            parts.push(self.filled(form, forms, more[0], 0) + "\n");
        }
        parts
    }
}

pub(crate) fn python(generator: &mut Generator) -> Vec<String> {
    generator.program(&PYTHON, [&[], &[], &[]])
}

pub(crate) fn javascript(generator: &mut Generator) -> Vec<String> {
    generator.program(&JAVASCRIPT, [&[], &[], &[]])
}

pub(crate) fn typescript(generator: &mut Generator) -> Vec<String> {
    generator.program(&JAVASCRIPT, [TYPESCRIPT_EXPRESSIONS, TYPESCRIPT_STATEMENTS, TYPESCRIPT_OTHERS])
}
