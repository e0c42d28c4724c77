use super::*;

#[test]
fn tensors_come_in_three_forms() {
    let six = tensor(&[1.0, 2.0, 3.0, 0.1, 0.2, 0.3]).unwrap();
    let nine = tensor(&[1.0, 0.1, 0.2, 0.1, 2.0, 0.3, 0.2, 0.3, 3.0]).unwrap();
    assert_eq!(six, nine);
    assert_eq!(tensor(&[1.0, 2.0, 3.0]).unwrap(), Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 3.0)));
    let (which, _) = tensor(&[1.0, 0.1, 0.2, 0.1, 2.0, 0.3, 0.9, 0.3, 3.0]).unwrap_err();
    assert_eq!(which, Some(6));
}

#[test]
fn values_are_put_together_from_numbers() {
    let made = |shape, x: &[f64]| assemble(shape, x).unwrap();
    assert_eq!(made(Shape::Vector, &[1.0, 2.0]), Value::Vector(Vec3::new(1.0, 2.0, 0.0)));
    assert_eq!(made(Shape::PlanarSpin, &[4.0]), Value::Vector(Vec3::new(0.0, 0.0, 4.0)));
    assert_eq!(made(Shape::Count, &[3.0]), Value::Count(3));
    let Value::Function(Function::Table(table)) = made(Shape::Table(CurveForm::PLAIN), &[0.0, 1.0, 5.0, 6.0])
    else {
        panic!()
    };
    assert_eq!((table.eval(-1.0), table.eval(9.0)), (5.0, 6.0));
    let Value::Curve(curve) = made(Shape::Curve(CurveForm::PLAIN), &[0.0, 1.0, 5.0, 6.0]) else { panic!() };
    assert_eq!(curve.eval(2.0), 7.0);
    for (shape, x) in [(Shape::Count, 0.0), (Shape::Count, 1.5), (Shape::Count, 1e300)] {
        assert!(assemble(shape, &[x]).is_err());
    }
    assert!(assemble(Shape::Direction, &[0.0, 0.0]).is_err());
    assert_eq!(assemble(Shape::Curve(CurveForm::PLAIN), &[0.0, 0.0, 1.0, 1.0]).unwrap_err().0, Some(1));
}
