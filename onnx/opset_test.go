package onnx

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The table of operators says what ONNX's own schemas say, in every opset.
func TestSchemas(t *testing.T) {
	type parameter struct {
		Name, Types, Variable string
		Optional              bool
	}
	type attribute struct {
		Name, Type string
		Required   bool
	}
	var file struct {
		Opset   int64
		Schemas []struct {
			Op         string
			Since      int64
			Deprecated bool
			Output     string
			Inputs     []parameter
			Attributes []attribute
		}
	}
	b, err := os.ReadFile("testdata/schemas.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &file))
	require.EqualValues(t, NewestOpset, file.Opset)
	spaced := func(s types) string {
		names := strings.Split(s.String(), ", ")
		slices.Sort(names)
		return strings.Join(names, " ")
	}
	names := map[string]bool{}
	versions := map[*version]bool{}
	for i, s := range file.Schemas {
		next := file.Opset + 1
		if i+1 < len(file.Schemas) && file.Schemas[i+1].Op == s.Op {
			next = file.Schemas[i+1].Since
		}
		op := operators[s.Op]
		require.NotNil(t, op, s.Op)
		if !names[s.Op] {
			_, exists := op.at(s.Since - 1)
			require.False(t, exists, "%s-%d", s.Op, s.Since)
		}
		names[s.Op] = true
		for opset := s.Since; opset < next; opset++ {
			v, exists := op.at(opset)
			require.True(t, exists, "%s in opset %d", s.Op, opset)
			versions[v] = true
			require.Equal(t, s.Deprecated, v.deprecated != "", "%s-%d", s.Op, s.Since)
			if s.Deprecated {
				continue
			}
			var inputs []parameter
			for _, f := range v.inputs {
				inputs = append(inputs, parameter{f.name, spaced(f.types), f.variable, f.optional})
			}
			require.Len(t, inputs, len(s.Inputs), "%s-%d", s.Op, s.Since)
			for j, want := range s.Inputs {
				got := inputs[j]
				for k := range j { // the same variable, by whatever name
					require.Equal(t, s.Inputs[k].Variable == want.Variable, inputs[k].Variable == got.Variable, "%s-%d: %s and %s", s.Op, s.Since, s.Inputs[k].Name, want.Name)
				}
				got.Variable = want.Variable
				require.Equal(t, want, got, "%s-%d", s.Op, s.Since)
			}
			if len(s.Inputs) == 0 {
				require.Equal(t, s.Output, spaced(v.output), "%s-%d", s.Op, s.Since)
			} else {
				require.Equal(t, s.Output, s.Inputs[0].Types, "%s-%d", s.Op, s.Since)
			}
			var attributes []attribute
			for _, a := range v.attributes {
				required := a.required || s.Op == "Constant" && s.Since < 11 // where it has one attribute, as it always must
				attributes = append(attributes, attribute{a.name, a.kind.String(), required})
			}
			slices.SortFunc(attributes, func(a, b attribute) int { return strings.Compare(a.Name, b.Name) })
			require.Equal(t, append([]attribute{}, s.Attributes...), append([]attribute{}, attributes...), "%s-%d", s.Op, s.Since)
		}
	}
	require.Len(t, names, len(operators))
	for name, op := range operators {
		for i := range op.versions {
			require.True(t, versions[&op.versions[i]], "%s-%d is not one of ONNX's", name, op.versions[i].since)
		}
	}
}
